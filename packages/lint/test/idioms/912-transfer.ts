// Idioms, as the labelled cases: see ../cases/README.md.
export function tr1(): Handle { // expect: ok
  const h = acquire(); h.use(); return h;
}
export function tr2(): void { tr1(); } // expect: leak
export function tr3(): void { const h = acquire(); consume(h); } // expect: ok
export function tr4(): void { const h = acquire(); consume(h); h.release(); } // expect: double-release
export function tr5(): void { const h = acquire(); consume(h); h.use(); } // expect: use-after-release
export function tr6(): void { const h = acquire(); h.release(); consume(h); } // expect: double-release
export function tr7(): { h: Handle } { return { h: acquire() }; } // expect: ok
export function tr8(): void { const { h } = tr7(); h.release(); } // expect: ok
export function tr9(): void { const o = tr7(); note(o.h.id); } // expect: leak
export function tr10(): [Handle, number] { return [acquire(), 1]; } // expect: ok
export function tr11(): void { const [h, n] = tr10(); note(n); h.release(); } // expect: ok
export function tr12(): void { const [, n] = tr10(); note(n); } // expect: leak
function eat(h: Handle): void { h.use(); h.release(); }
export function tr13(): void { const h = acquire(); eat(h); h.release(); } // expect: double-release
export function tr14(): void { const h = acquire(); eat(h); } // expect: ok
export function tr15(): void { const h = acquire(); eat(h); h.use(); } // expect: use-after-release
function maybeEat(h: Handle, x: boolean): void { if (x) h.release(); }
export function tr16(): void { const h = acquire(); maybeEat(h, true); } // expect: ok
export function tr17(): void { const h = acquire(); maybeEat(h, false); } // expect: leak
export function tr18(): void { const h = acquire(); start({ handle: h }); } // expect: ok
export function tr19(): void { const h = acquire(); start({ handle: h, label: "x" }); h.use(); } // expect: use-after-release
export function tr20(): void { const hs = acquireMany(2); consumeAll(hs); } // expect: ok
export function tr21(): void { consumeAll([acquireSafe(), acquireSafe()]); } // expect: ok
export function tr22(): void { const hs = acquireMany(2); borrowAll(hs); } // expect: leak
export function tr23(): void { const h = acquire(); borrow(h); } // expect: leak
export function tr24(): void { borrow(acquire()); } // expect: leak
export function tr25(): void { const h = acquire(); // expect: leak [throw:call]
  borrowRisky(h); h.release(); }
export function tr26(h: Handle): void { h.use(); } // expect: ok
export function tr27(/** @owned */ h: Handle): void { h.use(); } // expect: leak
export function tr28(/** @owned */ h: Handle): void { h.release(); } // expect: ok
/** @owned h */
export function tr29(h: Handle): void { consume(h); } // expect: ok
export function tr30(/** @borrowed */ h: Handle): void { h.release(); } // expect: double-release
export function tr31(/** @borrowed */ h: Handle): void { consume(h); } // expect: double-release
function outer2(h: Handle): Handle { return tap(h); }
export function tr32(): void { outer2(acquire()).release(); } // expect: ok
export function tr33(xs: Handle[]): void { xs.push(acquire()); } // expect: ok
export function tr34(m: Map<string, Handle>): void { m.set("a", acquire()); } // expect: ok
export function tr35(o: { h?: Handle }): void { o.h = acquire(); } // expect: ok
export function tr36(x: any): void { x.take(acquire()); } // expect: ok
export function tr37(x: any): void { const h = acquire(); x(h); } // expect: ok
function two(): Handle { const a = acquireSafe(); const b = acquireSafe(); b.release(); return a; }
export function tr38(): void { two().release(); } // expect: ok
function rec(h: Handle, n: number): void { if (n === 0) { h.release(); return; } rec(h, n - 1); }
export function tr39(): void { const h = acquire(); rec(h, 3); } // expect: ok
function orNull(): Handle | null { return cond() ? acquire() : null; }
export function tr40(): void { orNull()?.release(); } // expect: ok
export function tr41(): void { const h = orNull(); if (h) note(h.id); } // expect: leak
function validated(): Handle { const h = acquire(); // expect: leak [throw:explicit]
  if (h.use() < 0) throw new Error("bad"); return h; }
export function tr42(): void { validated().release(); } // expect: ok
export function tr43(): void { consumeBoth(acquireSafe(), acquireSafe()); } // expect: ok
export function tr44(): void { const h = acquireSafe(); consumeBoth(h, h); } // expect: double-release
const registry = new Map<string, Handle>();
export function tr45(): void { registry.set("k", acquire()); } // expect: ok
const list: Handle[] = [];
export function tr46(): void { list.push(acquire()); } // expect: ok
export function tr47(): void { const { handle, meta } = acquireWithMeta(); note(meta.label); consume(handle); } // expect: ok
export function tr48(h: Handle | undefined): void { h?.release(); } // expect: ok
export function tr49(): void { tr48(acquire()); tr48(undefined); } // expect: ok
export async function tr50(): Promise<Conn> { const p = new Pool(); const c = await p.connect(); return c; } // expect: ok
export async function tr51(): Promise<void> { const c = await tr50(); const tx = await c.transaction(); tx.commit(); c.free(); } // expect: leak [throw:await]
