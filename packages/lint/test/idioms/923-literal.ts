// Idioms, as the labelled cases: see ../cases/README.md.
export function i1(): { h: Handle } { const o = { h: acquire() }; return o; } // expect: ok
export function i2(): void { const o = { h: acquire() }; o.h.use(); } // expect: leak
export function i3(): void { const o: { h: Handle | null } = { h: acquire() }; o.h!.release(); o.h = null; } // expect: ok
export function i4(): void { const o: { h: Handle | null } = { h: acquireSafe() }; o.h = null; } // expect: leak
export function i5(): void { const o = { a: { b: acquire() } }; o.a.b.release(); } // expect: ok
export function i6(): void { const o: { h?: Handle } = {}; o.h = acquire(); o.h.release(); } // expect: ok
export function i7(): void { using d = { [Symbol.dispose]: () => {} }; note(d); } // expect: ok
export function i8(): Disposable & { n: number } { const h = acquire(); return { n: 1, [Symbol.dispose]: () => h.release() }; } // expect: ok
export function i9(): void { using x = i8(); note(x.n); } // expect: ok
export function i10(): void { const x = i8(); note(x.n); } // expect: leak
export function i11(): void { const x = i8(); x[Symbol.dispose](); } // expect: ok
export function i12(): void { const h = acquire(); const o = { h, close() { this.h.release(); } }; o.close(); } // expect: ok
export function i13(): { close(): void } { const h = acquire(); return { close() { h.release(); } }; } // expect: ok
export function i14(): void { i13().close(); } // expect: ok
export function i15(): void { i13(); } // expect: leak
export function i16(): void { const a = { h: acquire() }; const b = a; b.h.release(); } // expect: ok
export function i17(): void { const a = { h: acquire() }; a.h.release(); a.h.use(); } // expect: use-after-release
