// Idioms, as the labelled cases: see ../cases/README.md.
export function a1(): void { const h = acquire(); h.use(); } // expect: leak
export function a2(): void { // expect: ok
  const h = acquire(); h.use(); h.release();
}
export function a3(): void { const h = acquire(); h.release(); h.release(); } // expect: double-release
export function a4(): number { const h = acquire(); h.release(); return h.use(); } // expect: use-after-release
export function a5(): number { // expect: ok
  const h = acquire(); h.release(); return h.id;
}
export function a6(): void { // expect: ok
  acquire().release();
}
export function a7(): void { // expect: ok
  const s = new Soft(); s.dispose(); s.dispose();
}
export function a8(): void { let h; h = acquire(); h.use(); } // expect: leak
export function a9(): void { // expect: ok
  const tx = begin(); tx.put("a", 1); tx.abandon();
}
export function a10(): void { acquire().tune(1).tune(2).use(); } // expect: leak
export function a11(): void { // expect: ok
  acquire().tune(1).tune(2).release();
}
export function a12(): void { // expect: ok
  const h = acquire().tune(1); h.use(); h.release();
}
export function a13(): void { // expect: ok
  const h = acquire(), g = acquireSafe(); h.release(); g.release();
}
export function a14(): void {
  const h = acquire(); // expect: leak [throw:call]
  const g = acquire();
  h.release(); g.release();
}
export function a15(): void { // expect: ok
  const w = wrap(acquire()); w.get(); w.end();
}
export function a16(): void { const w = wrap(acquire()); w.get(); } // expect: leak
export function a17(): void { // expect: ok
  const h = acquire(); h[Symbol.dispose]();
}
export function a18(): string { const h = acquire(); return `${h.use()}`; } // expect: leak
export function a19(): void { const t = new Trap(); t.arm(); } // expect: leak
export function a20(): void { // expect: ok
  const t = new Trap(); note(t.armed());
}
export function a21(): void { // expect: ok
  const t = new Trap(); t.arm(); t.disarm();
}
export function a22(): void { const t = new Trap(); t.arm(); t.disarm(); t.arm(); } // expect: leak
export function a23(): void { // expect: ok
  const t = new Trap(); t.arm(); if (t.armed()) t.disarm();
}
