// Idioms, as the labelled cases: see ../cases/README.md.
export function* g1(): Generator<number> { // expect: ok
  const h = acquire(); try { yield h.use(); } finally { h.release(); }
}
export function* g2(): Generator<number> { // expect: ok
  using h = acquire(); yield h.use();
}
export async function* g3(): AsyncGenerator<number> { const h = await openAsync(); // expect: leak [throw:yield]
  yield h.peek(); await h.close(); }
export async function* g4(): AsyncGenerator<number> { // expect: ok
  const h = await openAsync(); try { yield await h.read(); } finally { await h.close(); }
}
export function* g5(): Generator<number> { const h = acquire(); const n = h.use(); h.release(); yield n; } // expect: ok
export function* g6(): Generator<Handle> { yield acquire(); } // expect: ok
export function g7(): void { for (const h of g6()) { h.use(); h.release(); } } // expect: ok
export function g8(): void { const it = g6(); const r = it.next(); if (!r.done) r.value.release(); } // expect: ok
export function* g9(): Generator<number> { yield* g1(); } // expect: ok
export function* g10(h: Handle): Generator<number> { yield h.use(); } // expect: ok
export function g11(): void { const h = acquire(); for (const x of g10(h)) note(x); h.release(); } // expect: ok
export function* g12(): Generator<number> { const h = acquire(); try { yield 1; } catch (e) { h.release(); throw e; } h.release(); } // expect: leak [throw:yield]
export function* g13(): Generator<Handle> { const h = acquire(); try { yield h; } finally { h.release(); } } // expect: ok
export function g14(): number { let s = 0; for (const n of g1()) s += n; return s; } // expect: ok
