// Right programs of the sound tier, one on a line; without one of its releases, each is wrong.
import { p, q, load, mayFail, cond, loadAsync, type Stage, type Tiles } from './stage.js';
import type { Borrowed, Linear, Owned } from './linear.js';
/** @mustRelease close | abort */
export interface Tx { readonly id: number; /** @nothrow */ put(k: string): void; close(): void; abort(): void }
/** @nothrow @returnsOwned */ declare function tx(): Tx;
/** @nothrow */ declare function log(s: string): void;
export function r1() { const t = tx(); try { mayFail(new Uint8Array(2)); t.close(); } catch (e) { t.abort(); throw e; } }
export function r2(xs: string[]) { const t = tx(); for (const x of xs) t.put(x); t.close(); }
export function r3(flag: boolean) { const t = flag ? tx() : undefined; if (t) t.put('a'); t?.close(); }
export function r4(n: number) { switch (n) { case 1: { const t = tx(); t.close(); break; } case 2: return; default: { const t = tx(); t.abort(); } } }
export function r5() { let t: Tx | undefined; try { t = tx(); t.put('x'); mayFail(new Uint8Array(1)); } finally { t?.close(); } }
export function r6(n: number) { outer: for (let i = 0; i < n; i++) { const t = tx(); for (;;) { if (cond()) { t.close(); continue outer; } if (cond()) { t.abort(); break outer; } } } }
export function r7() { const t = tx(); const { id } = t; t.close(); return id; }
export function r8() { const t = tx(); log(`tx ${t.id}`); t.close(); }
export function r9() { const pair = { a: tx(), b: tx() }; pair.a.close(); pair.b.close(); }
export function r10() { const [a, b] = [tx(), tx()]; a.close(); b.close(); }
export function r11(): Tx { const t = tx(); t.put('a'); return t; }
export function r12(t: Tx) { t.put('a'); }
export function r13() { const t = r11(); r12(t); t.close(); }
function finish(t: Tx) { t.put('end'); t.close(); }
export function r14() { finish(tx()); }
export function r15() { const t = tx(); if (cond()) { finish(t); return; } t.abort(); }
export function r16(a: Tx | undefined) { if (a === undefined) return 0; return a.id; }
export function r17() { let i = 0; while (i < 3) { const t = tx(); i++; if (t.id === i) { t.abort(); continue; } t.close(); } }
export function r18() { const t = tx(); const close = () => t.close(); if (cond()) { close(); } else { t.abort(); } }
export function r19(xs: number[]) { const t = tx(); xs.forEach((x) => t.put(String(x))); t.close(); }
export function r20() { const t = tx(); const ids = [1, 2].map((n) => n + t.id); t.close(); return ids; }
export async function r21() { const s = await p.acquireAsync(); try { await loadAsync(s.bytes); } finally { s.release(); } }
export async function r22() { const s = p.acquireStage(); const a = loadAsync(s.bytes); try { await a; } finally { s.release(); } }
export async function r23() { const [a] = await Promise.all([p.acquireAsync()]); a.release(); }
export async function r24() { try { const s = await p.acquireAsync(); s.release(); } catch { return; } }
export function r25() { const m = new Map<string, Tx>(); m.set('a', tx()); m.set('b', tx()); for (const [, t] of m) t.close(); m.clear(); }
export function r26() { const s = new Set<Tx>(); s.add(tx()); for (const t of s) t.close(); s.clear(); }
export function r27() { const all: Tx[] = []; all.push(tx(), tx()); all.forEach((t) => t.close()); }
export function r28() { const all: Tx[] = []; for (let i = 0; i < 5; i++) all.push(tx()); while (all.length > 0) all.pop()!.close(); }
export function r29() { const all: Tx[] = []; for (let i = 0; i < 5; i++) all.push(tx()); let t: Tx | undefined; while ((t = all.shift())) t.close(); }
export function r30() { const all = [tx(), tx(), tx()]; for (const t of all) t.put('x'); for (const t of all.splice(0)) t.close(); }
export function r31() { const all: Tx[] = []; for (let i = 0; i < 3; i++) all.push(tx()); for (const t of all) t.close(); all.length = 0; }
export function r32() { using a = p.acquire(); using b = p.acquire(); load(a.bytes); load(b.bytes); }
export function r33() { const s = p.tryAcquire(); if (!s) return; load(s.bytes); s.release(); }
export function r34() { const s = p.tryAcquire(); if (s !== undefined) { load(s.bytes); s.release(); } }
export function r35() { for (let i = 0; i < 2; i++) { using t = p.acquire(); load(t.bytes); } }
export function* r36() { using t = p.acquire(); yield 1; load(t.bytes); }
export function r37() { const s = p.acquireStage(); try { return s.index; } finally { s.release(); } }
export function r38() { const s = p.acquireStage(); const n = s.bytes.length; s.release(); return n; }
export function r39() { const s = p.acquireStage(); const copy = new Uint8Array(s.bytes); s.release(); return copy; }
export function r40() { const s = p.acquireStage(); const copy = Array.from(s.bytes); s.release(); return copy; }
