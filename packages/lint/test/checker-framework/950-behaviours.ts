// The behaviours of the Resource Leak Checker's tests, as TypeScript: `// #n` is the number of the
// behaviour in bench/results/lint-checker-framework.md. `// expect` is what lint has to say there.
/** @returnsOwned @nothrow */ declare function closedAlready(): Soft;
/** @nothrow */ declare function acquireTouchy2(): Touchy;

export function c1(): void { const h = acquireSafe(); note(h.id); } // #1 // expect: leak
export function c2(): void { let h: Handle; h = acquireSafe(); note(h.id); } // #2 // expect: leak
export function c4(): void { const h = new Handle(); note(h.id); } // #4 // expect: leak
export function c5(h: Handle): void { note(h.id); } // #5
export const c6 = new (class { run(): void { const h = acquireSafe(); note(h.id); } })(); // #6 // expect: leak
export const c7 = new (class { run(): void { const h = acquireSafe(); h.release(); } })(); // #7
export function c8(): void { callNow(() => { const a = acquireSafe(); const b = acquireSafe(); a.release(); note(b.id); }); } // #8 // expect: leak
export function c9(x: boolean): void {
  if (x) { const h = acquireSafe(); h.release(); } else { const h = acquireSafe(); note(h.id); } // #9 // expect: leak
}
export function c10(x: boolean): void {
  let a: Handle; let b: Handle;
  if (x) { a = acquireSafe(); a.release(); } else { b = acquireSafe(); note(b.id); } // #10 // expect: leak
}
export function c11(x: boolean): void {
  let h = acquireSafe(); // #11 // expect: leak
  if (x) note(h.id);
  else h = acquireSafe(); // #11 // expect: leak
}
export function c12(x: boolean): void {
  const a = acquireSafe(); // #12 // expect: leak
  const b = acquireSafe(); // #12 // expect: leak
  if (x) a.release();
  note(b.id);
}
export function c13(x: boolean): void { if (x) { const h = acquireSafe(); h.release(); } } // #13
export function c14(x: boolean): void {
  let h: Handle | null = null;
  if (x) note(h);
  else h = acquireSafe(); // #14 // expect: leak
}
export function c15(): void { const h: Handle | null = null; note(h); } // #15
export function c16(): void { for (;;) { const h = acquireSafe(); note(h.id); } } // #16 // expect: leak
export function c17(n: number): void {
  let h = acquireSafe(); // #17 // expect: leak
  for (let i = 0; i < n; i++) h = acquireSafe(); // #17 // expect: leak
  note(h.id);
}
export function c18(n: number): void {
  let h = acquireSafe(); // #18 // expect: leak
  for (let i = 0; i < n; i++) { h = acquireSafe(); if (cond()) h.release(); } // #18 // expect: leak
}
export function c19(x: boolean): void { let h: Handle | null = acquireSafe(); // #19 // expect: leak
  if (x) h = null; h?.release(); }
export function c20(): void { const h: Handle | null = null; const g = h; note(g); } // #20
export function c21(): void { consume(acquireSafe()); } // #21
export function c22(): void { const h = acquireSafe(); try { throw new Error('x'); } finally { h.release(); } } // #22
declare class SubHandle extends Handle {}
export function c23(): void { const h = new SubHandle(); note(h.id); } // #23 // expect: leak
export function c24(): void { const h = acquireSafe(); // #24 // expect: leak
  throw new Error(String(h.id)); }
export function c25(): void { const h = acquireSafe(); h.release(); throw new Error('x'); } // #25
export function c26(): void { acquireSafe().release(); } // #26
export function c27(): void { acquireSafe().tune(1).tune(2); } // #27 // expect: leak
export function c28(): void { acquireSafe(); } // #28 // expect: leak
export function c29(/** @owned */ h: Handle): void { note(h.id); } // #29 // expect: leak
export function c30(): void { const h = acquireSafe(); borrow(h); } // #30 // expect: leak
function c31made(): Handle { return acquireSafe(); }
export function c31(): void { c31made(); } // #31 // expect: leak
export function c32(): void { borrow(acquireSafe()); } // #32 // expect: leak
export function c33(): Handle | null { try { return acquire(); } catch { return null; } } // #33
export function c34(): void { try { const a = acquireSafe(); const b = acquireSafe(); a.release(); note(b.id); } catch { note(1); } } // #34 // expect: leak
export function c35(): void { using h = acquire(); h.use(); } // #35
export function c36(): void {
  const h = acquireSafe(); // #36 // expect: leak
  const e = new Envelope(h);
  e.end();
}
export function c37(): void { const h = acquire(); try { risky(); } finally { try { h.release(); } catch (e) { note(e); } } } // #37
export function c38(): void { const h = acquireSafe(); const g = tap(h); note(g.id); h.release(); } // #38
export function c39(): void {
  const h = acquireSafe();
  try { risky(); } catch (e) { h.release(); throw e; } // #39
  consume(h);
}
export function c40(): void { const h = acquireSafe(); // #40 // expect: leak
  h.check(); h.release(); }
export class C41 implements Disposable { readonly #h = acquireSafe(); [Symbol.dispose](): void { this.#h.release(); } } // #41
export class C42 implements Disposable { readonly #h = acquireSafe(); // #42 // expect: leak
  [Symbol.dispose](): void { note(this.#h.id); } }
export class C44 implements Disposable { #h = acquireSafe(); // alt: leak
  next(): void { this.#h = acquireSafe(); } // #44 // expect: leak
  [Symbol.dispose](): void { this.#h.release(); } }
export class C45 implements Disposable { #h: Handle | null = null;
  open(): void { if (this.#h === null) this.#h = acquireSafe(); } // #45
  [Symbol.dispose](): void { this.#h?.release(); } }
export function c47(): void { const o = new C41(); note(typeof o); } // #47 // expect: leak
export class C48 { readonly #h = acquireSafe(); // #48 // expect: leak
  n(): number { return this.#h.use(); } }
export class C49 implements Disposable { readonly #a = acquireSafe(); readonly #b = acquireSafe(); // #49 // expect: leak
  [Symbol.dispose](): void { this.#a.release(); } n(): number { return this.#b.use(); } }
export class C51 { static readonly h = acquireSafe(); } // #51
export class C53 implements Disposable { #h: Handle | null = null;
  open(): void { this.#h?.release(); this.#h = acquireSafe(); } // #53
  [Symbol.dispose](): void { this.#h?.release(); } }
export class C54 implements Disposable { #h: Handle | null = null;
  open(): void { this.#h = acquireSafe(); } // #54 // expect: leak
  [Symbol.dispose](): void { this.#h?.release(); } }
export function c56(): void { const t = new Trap(); t.arm(); t.disarm(); t.arm(); } // #56 // expect: leak
export function c57(): void { const t = new Trap(); t.arm(); t.disarm(); t.arm(); t.disarm(); } // #57
export function c60(): void { const t = new Trap(); note(t.armed()); } // #60
export function c61(): void { const t = new Trap(); t.arm(); } // #61 // expect: leak
export function c62(): void { const t = new Trap(); const a = t; a.disarm(); t.arm(); } // #62 // expect: leak
export function c63(): Handle { try { return acquireSafe(); // #63 // expect: leak
  } finally { risky(); } }
export function c64(h: Handle): Handle { try { return h; } finally { risky(); } } // #64
export function c67(): void { const h = acquireSafe(); // #67 // expect: leak
  const e = new Envelope(h); e.end(); }
export function c69(): void { const h = acquireSafe(); let e: Envelope; try { e = new Envelope(h); } catch (x) { h.release(); throw x; } e.end(); } // #69
export class C70 implements Disposable { #h: Handle; constructor() { this.#h = acquireSafe(); // #70 // expect: leak
  risky(); } [Symbol.dispose](): void { this.#h.release(); } }
export class C71 implements Disposable { #h: Handle; constructor(h: Handle) { this.#h = h; risky(); } // #71
  [Symbol.dispose](): void { this.#h.release(); } }
export class C72 implements Disposable { #h: Handle; constructor() { this.#h = acquireSafe(); try { risky(); } catch (e) { this.#h.release(); throw e; } } // #72
  [Symbol.dispose](): void { this.#h.release(); } }
export class C73 implements Disposable { #h = acquireSafe(); // #73 // expect: leak
  [Symbol.dispose](): void { risky(); this.#h.release(); } }
export function c75(x: boolean): void { const h = x ? acquireSafe() : acquireSafe(); h.release(); } // #75
export function c75b(x: boolean): void { const h = x ? acquireSafe() : undefined; note(h); } // #75 // expect: leak
export function c76(x: boolean): void { const a = acquireSafe(); // #76 // expect: leak
  const h = x ? acquireSafe() : a; h.release(); }
export function c77(x: boolean): void { const a = acquireSafe(); const h = x ? a : a; h.release(); } // #77
export function c78(x: boolean): void { consume(x ? acquireSafe() : acquireSafe()); } // #78
export function c79(n: number): void { let h: Handle | undefined;
  for (let i = 0; i < n; i++) h = cond() ? acquireSafe() : undefined; // #79 // expect: leak
  note(h); }
export function c80(h: Handle): void { using g = h; g.use(); } // #80
export function c81(): void { const a = acquireSafe(); // #81 // expect: leak
  const t = acquireTouchy2(); t.release(); a.release(); }
export class C87 implements Disposable { #t = acquireTouchy2(); #h = acquireSafe(); // #87 // expect: leak
  [Symbol.dispose](): void { this.#t.release(); this.#h.release(); } }
export function c88(x: boolean): Handle | null { const h = acquireSafe(); let out: Handle | null; if (x) out = h; else { h.release(); out = null; } return out; } // #88
export function c89(hs: Handle[]): void { hs.push(acquireSafe()); } // #89
export function c90(): void { for (const h of acquireMany(2)) h.release(); } // #90
export function c90b(): void { for (const h of acquireMany(2)) note(h.id); } // #90 // expect: leak
function c91drop<T>(/** @owned */ x: T): void { note(x); }
export function c91(): void { c91drop(acquireSafe()); }
export function c94a(): void { const h = acquireSafe(); if (!h.released) h.release(); } // #94
export function c94b(): void { const h = tryAcquire(); if (h !== undefined) h.release(); } // #94
export function c94c(): void { let h = acquireSafe(); h = h; h.release(); } // #94
export function c94d(): number { const h = acquireOrNull(); if (h === null) return 0; h.release(); return 1; } // #94
export function c95a(): void { let h: Handle | null = acquireSafe(); // #95 // expect: leak
  h = null; note(h); }
export function c95b(): void { const a = acquireSafe(); const b = acquireSafe(); try { risky(); } finally { a.release(); b.release(); } } // #95
