// Idioms, as the labelled cases: see ../cases/README.md.
export function al1(): void { const h = acquire(); const g = h; g.release(); h.release(); } // expect: double-release
export function al2(): number { const h = acquire(); const g = h; h.release(); return g.use(); } // expect: use-after-release
export function al3(): void { // expect: ok
  const h = tap(acquire()); h.release();
}
export function al4(): void { const h = acquire(); const g = tap(h); h.release(); g.use(); } // expect: use-after-release
export function al5(): void { // expect: ok
  const h = acquire(); const o = { h }; o.h.release();
}
export function al6(): void { const h = acquire(); const o = { h }; note(o.h.id); } // expect: leak
export function al7(): void { // expect: ok
  const [h] = [acquire()]; h.release();
}
export function al8(): void { // expect: ok
  let a = acquireSafe(), b = acquireSafe(); [a, b] = [b, a]; a.release(); b.release();
}
export function al9(): void { // expect: ok
  let g: Handle; const h = (g = acquire()); note(g.id); h.release();
}
export function al10(x: boolean): void { // expect: ok
  const a = acquireSafe(); const b = x ? a : a; b.release();
}
export function al11(x: boolean): void { const a = acquireSafe(); const b = acquireSafe(); const c = x ? a : b; c.release(); } // expect: leak // alt: leak
export function al12(): void { // expect: ok
  const h = acquire(); const g = h as Disposable; g[Symbol.dispose]();
}
function pickOne(a: Handle, b: Handle): Handle { return cond() ? a : b; }
export function al13(): void { const a = acquireSafe(); const b = acquireSafe(); pickOne(a, b).release(); } // expect: leak // alt: leak
// 
export function re1(): void { let h = acquireSafe(); // expect: leak
  h = acquireSafe(); h.release(); }
export function re2(): void { // expect: ok
  let h = acquireSafe(); const old = h; h = acquireSafe(); old.release(); h.release();
}
export function re3(x: boolean): void { let h = acquireSafe(); // expect: leak
  if (x) h = acquireSafe(); h.release(); }
export function re4(): void { // expect: ok
  let h: Handle | null = acquireSafe(); const t = h; h = null; t.release();
}
let mod: Handle | undefined;
export function re5(): void { mod ??= acquire(); } // expect: ok
export function re6(): void { if (!mod) mod = acquire(); } // expect: ok
export function re7(): void { const t = mod; mod = undefined; t?.release(); } // expect: ok
export function re8(): void { let h: Handle | undefined; h ??= acquire(); h.release(); } // expect: ok
export function re9(): void { let h: Handle | undefined; h ||= acquire(); h.use(); } // expect: leak
