// Idioms, as the labelled cases: see ../cases/README.md.
export class F1 implements Disposable { #h = acquireSafe(); [Symbol.dispose](): void { this.#h.release(); } } // expect: ok
export class F2 implements Disposable { #h = acquireSafe(); // expect: leak
  [Symbol.dispose](): void { note(this.#h.id); } }
export class F3 { #h = acquireSafe(); // expect: leak
  get(): number { return this.#h.use(); } }
export class F4 implements Disposable { #a = acquireSafe(); #b = acquireSafe(); // expect: leak
  [Symbol.dispose](): void { this.#a.release(); } n(): number { return this.#b.use(); } }
export class F5 implements Disposable { h: Handle; constructor() { this.h = acquire(); } [Symbol.dispose](): void { this.h.release(); } } // expect: ok
export class F6 implements Disposable { h: Handle; constructor() { this.h = acquire(); // expect: leak [throw:call]
  risky(); } [Symbol.dispose](): void { this.h.release(); } }
export function f7(): void { const f = new F1(); note(typeof f); } // expect: leak
export function f8(): void { using f = new F1(); note(typeof f); } // expect: ok
export function f9(): void { const f = new F1(); f[Symbol.dispose](); } // expect: ok
export class F10 implements Disposable { private h?: Handle; open(): void { this.h ??= acquire(); } [Symbol.dispose](): void { this.h?.release(); } } // expect: ok
export class F11 implements Disposable { private h?: Handle; open(): void { this.h?.release(); this.h = acquireSafe(); } [Symbol.dispose](): void { this.h?.release(); } } // expect: ok
export class F12 implements Disposable { private h?: Handle; open(): void { this.h = acquire(); } // expect: leak
  [Symbol.dispose](): void { this.h?.release(); } }
export class F13 implements Disposable { constructor(private readonly h: Handle) {} [Symbol.dispose](): void { this.h.release(); } } // expect: ok
export function f14(): void { const f = new F13(acquireSafe()); note(typeof f); } // expect: leak
export function f15(): void { const h = acquireSafe(); const f = new F13(h); f[Symbol.dispose](); h.release(); } // expect: double-release
export class F16 { constructor(private readonly h: Handle) {} use(): number { return this.h.use(); } } // expect: ok
export function f17(): number { const h = acquire(); const f = new F16(h); const n = f.use(); h.release(); return n; } // expect: ok
export class F18 implements Disposable { #a = acquireSafe(); #b = acquire(); [Symbol.dispose](): void { this.#b.release(); this.#a.release(); } } // alt: leak
export class F19 implements Disposable { #hs: Handle[] = []; add(): void { this.#hs.push(acquire()); } [Symbol.dispose](): void { for (const h of this.#hs) h.release(); } } // expect: ok
export class F20 implements Disposable { h: Handle | null = acquireSafe(); close(): void { this.h?.release(); this.h = null; } [Symbol.dispose](): void { this.close(); } } // expect: ok
export function f21(): void { const f = new F20(); f.close(); } // expect: ok
export class F22 implements Disposable { #closed = false; #h = acquireSafe(); [Symbol.dispose](): void { if (this.#closed) return; this.#closed = true; this.#h.release(); } } // expect: ok
class Base implements Disposable { protected b = acquireSafe(); [Symbol.dispose](): void { this.b.release(); } }
export class F23 extends Base { #x = acquireSafe(); override [Symbol.dispose](): void { this.#x.release(); super[Symbol.dispose](); } } // expect: ok
export class F24 extends Base {} // expect: ok
export function f25(): void { const f = new F24(); note(typeof f); } // expect: leak
export class F26 implements AsyncDisposable { #h: AsyncHandle | undefined; async start(): Promise<void> { this.#h = await openAsync(); } async [Symbol.asyncDispose](): Promise<void> { await this.#h?.close(); } } // expect: leak
export class F27 { static readonly shared = acquireSafe(); } // expect: ok
export class F28 { h: Handle | undefined; take(/** @owned */ h: Handle): void { this.h?.release(); this.h = h; } [Symbol.dispose](): void { this.h?.release(); } } // expect: ok
export class F29 { #m = new Map<string, Handle>(); open(k: string): Handle { const e = this.#m.get(k); if (e) return e; const h = acquire(); this.#m.set(k, h); return h; } [Symbol.dispose](): void { for (const h of this.#m.values()) h.release(); } } // expect: ok
export class F60 extends Base { #x = acquireSafe(); constructor() { risky(); super(); } override [Symbol.dispose](): void { this.#x.release(); super[Symbol.dispose](); } } // expect: ok
export class F61 extends Base { #x = acquireSafe(); // expect: leak [throw:call]
  constructor() { super(); risky(); } override [Symbol.dispose](): void { this.#x.release(); super[Symbol.dispose](); } }
export class F62 { current: Handle | undefined; fill(all: Handle[]): void { for (let i = 0; i < 2; i++) { const h = acquireSafe(); this.choose(h); all.push(h); } } choose(h: Handle): void { this.current = h; } } // expect: ok
