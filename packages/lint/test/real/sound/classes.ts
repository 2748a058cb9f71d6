// Right programs of the sound tier, one on a line; without one of its releases, each is wrong.
import { p, q, load, mayFail, cond, loadAsync, type Stage, type Tiles } from './stage.js';
/** @mustRelease close | abort */
export interface Tx { readonly id: number; /** @nothrow */ put(k: string): void; close(): void; abort(): void }
/** @nothrow @returnsOwned */ declare function tx(): Tx;
/** @nothrow */ declare function log(s: string): void;
export class A { #t = tx(); close() { this.#t.close(); } }
export class B { private t: Tx | undefined; open() { this.t ??= tx(); } close() { this.t?.close(); this.t = undefined; } }
export class C implements Disposable { readonly #t: Tx; constructor(t: Tx) { this.#t = t; } put(s: string) { this.#t.put(s); } [Symbol.dispose]() { this.#t.close(); } } // LENDS
export class D { readonly #all: Tx[] = []; add() { this.#all.push(tx()); } close() { for (const t of this.#all.splice(0)) t.close(); } }
export class E { readonly #m = new Map<string, Tx>(); get(k: string) { return this.#m.get(k)?.id; } close() { for (const t of this.#m.values()) t.close(); this.#m.clear(); } }
export class F { constructor(private readonly t: Tx) {} get id() { return this.t.id; } close() { this.t.close(); } } // LENDS
export class G extends A { #u = tx(); override close() { this.#u.close(); super.close(); } }
export class H { #a: Tx; #b: Tx; constructor() { this.#a = tx(); this.#b = tx(); } close() { this.#a.close(); this.#b.close(); } }
export class I { #t: Tx | undefined; start() { if (this.#t) return; this.#t = tx(); } stop() { if (!this.#t) return; this.#t.close(); this.#t = undefined; } }
export class J { #t: Tx | undefined = tx(); release(): Tx | undefined { const t = this.#t; this.#t = undefined; return t; } close() { this.release()?.close(); } } // LENDS
export class K { #t = tx(); [Symbol.dispose]() { this.close(); } close() { this.#t.close(); } }
export class L { #x; constructor(readonly s: Stage) { this.#x = s.index; } look() { load(this.s.bytes); return this.#x; } }
export class M { #t = tx(); swap() { const t = tx(); this.#t.close(); this.#t = t; } close() { this.#t.close(); } }
export class N { static make() { return new A(); } }
export class O { #n = 0; inc() { this.#n++; } }
export class P { readonly #a = new A(); readonly #c = new C(tx()); close() { this.#a.close(); this.#c[Symbol.dispose](); } }
export class Q { #t: Tx | undefined; async run() { const t = tx(); try { await loadAsync(new Uint8Array(1)); } finally { t.close(); } } async set() { const t = tx(); this.#t?.close(); this.#t = t; } close() { this.#t?.close(); this.#t = undefined; } }
export function r1() { const a = new A(); a.close(); }
export function r2() { const b = new B(); b.open(); b.close(); }
export function r3() { using c = new C(tx()); c.put('a'); }
export function r4() { const d = new D(); d.add(); d.add(); d.close(); }
export function r5() { const f = new F(tx()); const n = f.id; f.close(); return n; }
export function r6() { const g = new G(); g.close(); }
export function r7() { const i = new I(); i.start(); i.stop(); }
export function r8() { const j = new J(); const t = j.release(); t?.close(); j.close(); }
export function r9() { const s = p.acquireStage(); const l = new L(s); l.look(); s.release(); }
export function r10() { const a = N.make(); a.close(); }
export function r11() { const a = [new A(), new A()]; for (const x of a) x.close(); }
export function r12() { const k = new K(); k.close(); }
export function r13() { using k = new K(); }
export function r14() { const x = new P(); x.close(); }
export function r15(): A { return new A(); }
export function r16() { const o = new O(); o.inc(); }
