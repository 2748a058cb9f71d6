// Right programs of the sound tier, one on a line; without one of its releases, each is wrong.
import { p, q, load, mayFail, cond, loadAsync, type Stage, type Tiles } from './stage.js';
/** @mustRelease close | abort */
export interface Tx { readonly id: number; /** @nothrow */ put(k: string): void; close(): void; abort(): void; readonly rows: Uint8Array; /** @nothrow */ row(i: number): Row }
export interface Row { readonly key: string; readonly data: Uint8Array }
/** @nothrow @returnsOwned */ declare function tx(): Tx;
/** @nothrow */ declare function log(s: string): void;
/** @nothrow */ declare function emit(x: unknown): void;
/** @nothrow */ declare function give(/** @owned */ t: Tx): void;
/** @nothrow @owned t */ declare function give2(t: Tx): void;
/** @nothrow @borrowed t */ declare function look(t: Tx): void;
/** @nothrow @returnsAlias t */ declare function same(t: Tx): Tx;
/** @callsNow @nothrow */ declare function now<T>(f: () => T): T;
/** @callsLater @nothrow */ declare function later(f: () => void): void;
/** @nothrow */ declare function on(f: (/** @borrowed */ t: Tx) => void): void;
export function* g1(n: number) { for (let i = 0; i < n; i++) { const t = tx(); try { yield t.id; } finally { t.close(); } } }
export function* g2() { const t = tx(); try { yield t; } finally { t.close(); } } // LENDS
export function r1() { for (const t of g2()) t.put('x'); }
export function* g3() { yield tx(); yield tx(); }
export function r2() { for (const t of g3()) t.close(); }
export async function* g4() { const s = await p.acquireAsync(); try { yield s.index; } finally { s.release(); } }
export async function r3() { for await (const n of g4()) log(String(n)); }
export function r4() { const t = tx(); give(t); }
export function r5() { const t = tx(); look(t); give2(t); }
export function r6() { const t = tx(); const u = same(t); u.close(); }
export function r7() { const t = tx(); now(() => t.put('a')); t.close(); }
export function r8() { const t = tx(); later(() => { t.put('z'); t.close(); }); }
export function r9() { const t = tx(); const r = t.row(0); const { key } = r; t.close(); return key; }
export function r10() { const t = tx(); const d = t.row(0).data.slice(); t.close(); return d; }
export function r11() { const t = tx(); let n = 0; for (const b of t.rows) n += b; t.close(); return n; }
export function r12() { const t = tx(); const part = t.rows.subarray(1, 2); load(part); t.close(); }
export function r13(xs: Tx[]) { for (const x of xs) x.put('a'); }
export function r14() { const xs = [tx(), tx()]; r13(xs); for (const x of xs) x.close(); }
function closeAll(xs: Tx[]) { for (const x of xs.splice(0)) x.close(); }
export function r15() { const xs: Tx[] = []; xs.push(tx()); xs.push(tx()); closeAll(xs); }
function pick(a: Tx, b: Tx) { return a.id > b.id ? a : b; }
export function r16() { const a = tx(); const b = tx(); pick(a, b).put('best'); a.close(); b.close(); }
export function r17() { const o = { t: tx(), n: 1 }; o.t.put('x'); o.t.close(); return o.n; }
function make() { return { t: tx(), name: 'a' }; }
export function r18() { const { t, name } = make(); log(name); t.close(); }
export function r19() { const m = make(); m.t.close(); }
export function r20() { const t = tx(); const f = (x: string) => t.put(x); f('a'); f('b'); t.close(); }
export function r21() { const t = tx(); return { close: () => t.close() }; }
export function r22() { const t = tx(); const end = () => t.close(); try { mayFail(new Uint8Array(1)); } finally { end(); } }
export function r23() { let done = false; const t = tx(); const end = () => { if (!done) { done = true; t.close(); } }; end(); end(); }
export async function r24() { const t = tx(); try { for (let i = 0; i < 3; i++) await loadAsync(t.rows); } finally { t.close(); } }
export async function r25() { const a = tx(); try { const b = tx(); try { await loadAsync(b.rows); } finally { b.close(); } } finally { a.close(); } }
export async function r26() { const list: Stage[] = []; try { list.push(await p.acquireAsync()); list.push(await p.acquireAsync()); } finally { for (const s of list) s.release(); } }
export async function r27() { const r = await Promise.allSettled([loadAsync(new Uint8Array(1)), loadAsync(new Uint8Array(2))]); return r.length; }
async function open(): Promise<Stage> { const s = await p.acquireAsync(); return s; }
export async function r28() { const s = await open(); s.release(); }
export function r30(t: Tx | string) { if (typeof t === 'string') return t.length; return t.id; }
function rec(t: Tx, n: number): void { if (n === 0) { t.close(); return; } rec(t, n - 1); }
export function r32() { rec(tx(), 3); }
export function r33() { on((t) => t.put('x')); }
export function r34() { const stack = new DisposableStack(); try { const t = stack.use(p.acquire()); load(t.bytes); } finally { stack.dispose(); } }
export function r35() { using stack = new DisposableStack(); const t = tx(); stack.defer(() => t.close()); t.put('x'); }
export function r36() { const m = new Map<number, Tx>(); for (let i = 0; i < 3; i++) m.set(i, tx()); for (const t of m.values()) t.close(); }
export function r37() { const m = new Map<string, Tx>(); m.set('a', tx()); m.get('a')!.put('q'); m.get('a')!.close(); m.delete('a'); }
export function r38() { const a = tx(); const b = a; b.put('x'); b.close(); }
export function r39() { const xs = Array.from({ length: 3 }, () => tx()); xs.forEach((t) => t.put('x')); for (const t of xs) t.close(); }
export function r40() { const xs = [1, 2, 3].map(() => tx()); for (const t of xs) t.close(); }
export function r41() { const held = new Set<Tx>(); held.add(tx()); held.add(tx()); for (const t of held) t.close(); }
export function r42(xs: readonly number[]) { const t = tx(); for (const [i, x] of xs.entries()) t.put(`${i}${x}`); t.close(); }
export function r43() { let t = tx(); t.put('a'); t.close(); t = tx(); t.abort(); }
export function r44() { const t = tx(); if (t.id > 3) { t.abort(); } else if (t.id > 2) { t.close(); } else { t.close(); } }
export function r45() { const t = tx(); try { mayFail(t.rows); } catch { log('bad'); } t.close(); }
export function r46() { const t = tx(); const w = cond() && t.id > 1; if (w) log('a'); t.close(); }
