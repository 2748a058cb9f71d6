// Idioms, as the labelled cases: see ../cases/README.md.
export function u1(): void { using h = acquire(); using g = acquire(); h.use(); g.use(); } // expect: ok
export function u2(): void { using h = tryAcquire(); h?.use(); } // expect: ok
export function u3(): void { let o: Handle; { using h = acquire(); o = h; } o.use(); } // expect: escape
export function u4(): { h: Handle } { using h = acquire(); return { h }; } // expect: escape
export function u5(): void { using h = acquire(); consume(h); } // expect: escape
export function u6(): void { const h = acquire(); { using g = h; g.use(); } h.use(); } // expect: use-after-release
export function u7(): void { const h = acquire(); { using g = h; g.use(); } h.release(); } // expect: double-release
export async function u8(): Promise<number> { await using h = await openAsync(); return h.peek(); } // expect: ok
export async function u9(): Promise<number> { using h = acquire(); return await borrowAsync(h); } // expect: ok
export async function u10(): Promise<number> { using h = acquire(); return borrowAsync(h); } // expect: escape
export function u11(): () => void { using h = acquire(); return () => { h.use(); }; } // expect: escape
export function u12(): number { using h = acquire(); const f = () => h.use(); return f(); } // expect: ok
export function u13(): void { for (using h of [acquireSafe()]) { h.use(); } } // expect: ok
export function u14(): void { using h = acquire(); [1].forEach(() => h.use()); } // expect: ok
export function u15(): void { using w = wrap(acquire()) as unknown as Soft; w.use(); } // expect: ok
export function u16(arr: Handle[]): void { using h = acquire(); arr[0] = h; } // expect: escape
export function u17(m: Map<string, Handle>): void { using h = acquire(); m.set("a", h); } // expect: escape
export function u18(): void { using h = acquire(); try { risky(); } catch { h.use(); } } // expect: ok
export function* u19(): Generator<number> { using h = acquire(); yield h.use(); } // expect: ok
export function u20(x: boolean): Handle | undefined { using h = acquire(); if (x) return undefined; return h; } // expect: escape
export function u21(): void { using stack = new DisposableStack(); const h = stack.use(acquire()); h.use(); } // expect: ok
export function u22(): void { using stack = new DisposableStack(); const h = stack.use(acquire()); h.release(); } // expect: double-release
export function u23(): Handle { using stack = new DisposableStack(); return stack.use(acquire()); } // expect: escape
export function u24(): void { const stack = new DisposableStack(); try { stack.use(acquire()); } finally { stack.dispose(); } } // expect: ok
export function u25(): Handle { const h = acquire(); using stack = new DisposableStack(); stack.defer(() => note(1)); return h; } // expect: ok
export class SO implements Disposable { #s: DisposableStack; a: Handle; constructor() { using s = new DisposableStack(); this.a = s.use(acquire()); this.#s = s.move(); } [Symbol.dispose](): void { this.#s.dispose(); } } // expect: ok
export async function u26(): Promise<void> { await using stack = new AsyncDisposableStack(); const h = stack.use(await openAsync()); await h.read(); } // expect: ok
export function u27(): void { const s = new DisposableStack(); s.use(acquireSafe()); s.dispose(); s.dispose(); } // expect: ok
export function u28(): void { const s = new DisposableStack(); s.use(acquireSafe()); using t = s.move(); note(t.disposed); } // expect: ok
