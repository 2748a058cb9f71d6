// Idioms, as the labelled cases: see ../cases/README.md.
export function c1(): () => void { // expect: ok
  const h = acquire(); return () => h.release();
}
export function c2(): void { const done = c1(); note(typeof done); } // expect: leak
export function c3(): void { const done = c1(); done(); } // expect: ok
export function c4(): { use(): number; close(): void } { // expect: ok
  const h = acquire(); return { use: () => h.use(), close: () => h.release() };
}
export function c5(): void { const o = c4(); o.use(); o.close(); } // expect: ok
export function c6(): void { const o = c4(); o.use(); } // expect: leak
export function c7(): void { const h = acquire(); // expect: leak
  const f = () => h.release(); note(typeof f); }
export function c8(): void { // expect: ok
  const h = acquire(); const f = () => h.release(); f();
}
export function c9(): void { const h = acquire(); const f = () => h.release(); f(); f(); } // expect: double-release
export function c10(): void { // expect: ok
  const h = acquire(); [1, 2].forEach(() => h.use()); h.release();
}
export function c11(): void { const h = acquire(); [1, 2].forEach(() => h.release()); } // expect: double-release
export function c12(): void { // expect: ok
  const h = acquire(); setTimeout(() => { h.use(); h.release(); }, 1);
}
export function c13(): void { // expect: ok
  const h = acquire(); callLater(() => h.release());
}
export function c14(): void { const h = acquire(); callLater(() => h.use()); h.release(); } // expect: use-after-release
export function c15(): number { // expect: ok
  return callNow(() => { const h = acquire(); const n = h.use(); h.release(); return n; });
}
export function c16(): number { // expect: ok
  const h = callNow(() => acquire()); const n = h.use(); h.release(); return n;
}
export function c17(): number { const h = callNow(() => acquire()); return h.use(); } // expect: leak
export function c18(): void { // expect: ok
  const h = acquire(); (() => h.release())();
}
export function c19(): void { const h = acquire(); (function () { h.use(); })(); } // expect: leak
let saved: Handle | undefined;
export function c20(): void { withHandle((h) => { saved = h; }); } // expect: escape
export function c21(): Handle { return withHandle((h) => h); } // expect: escape
export function c22(): void { onHandle((h) => consume(h)); } // expect: ok
export function c23(): void { onHandle(function (h) { if (cond()) h.release(); }); } // expect: leak
export function c24(): void { // expect: ok
  let h: Handle | undefined; const open = () => { h = acquire(); }; open(); h!.release();
}
export function c25(): void { // expect: ok
  const h = acquire(); const cleanup = () => h.release(); try { risky(); } finally { cleanup(); }
}
export function c26(): void { // expect: ok
  const h = acquire(); process.on("exit", () => h.release()); // alt: leak
}
declare const process: { /** @nothrow */ on(e: string, f: () => void): void };
export function c27(): void { // expect: ok
  const h = acquire(); const fns: (() => void)[] = []; fns.push(() => h.release()); for (const f of fns) f();
}
export const c28 = (): void => { const h = acquire(); h.use(); }; // expect: leak
export const c29 = () => acquire(); // expect: ok
export function c30(): void { const h = c29(); h.use(); } // expect: leak
class K { m = () => { const h = acquire(); h.use(); }; } // expect: leak
note(K);
export function c31(): void { // expect: ok
  const h = acquire(); const self = { stop() { h.release(); } }; self.stop();
}
export function c32(f: (h: Handle) => void): void { // expect: ok
  const h = acquire(); try { f(h); } finally { h.release(); }
}
export function c33(): void { c32((h) => note(h.id)); } // expect: ok
export async function c34(): Promise<void> { const h = await acquireAsync(); const p = (async () => { await work(); note(h.use()); })(); h.release(); await p; } // expect: use-after-release
export function c35(): Promise<void> { return new Promise((resolve) => { const h = acquire(); setTimeout(() => { h.release(); resolve(); }, 1); }); } // expect: ok
