// Idioms of every kind, written down before the analysis saw them: see ../cases/README.md.
export class B1 implements Disposable { // pool with lazily made handle
  #h: Handle | undefined;
  get(): Handle { return (this.#h ??= acquire()); } // expect: ok
  [Symbol.dispose](): void { this.#h?.release(); this.#h = undefined; }
}
export class B2 implements Disposable {
  #hs = new Set<Handle>();
  open(): Handle { const h = acquireSafe(); this.#hs.add(h); return h; }
  closeAll(): void { for (const h of this.#hs) h.release(); this.#hs.clear(); }
  [Symbol.dispose](): void { this.closeAll(); } // expect: ok
}
export class B3 implements Disposable {
  #a: Handle; #b: Handle;
  constructor() { this.#a = acquire(); // expect: leak [throw:call]
    this.#b = acquire(); }
  [Symbol.dispose](): void { this.#b.release(); this.#a.release(); }
}
export class B4 implements Disposable {
  #a: Handle; #b: Handle;
  constructor() { this.#a = acquire(); try { this.#b = acquire(); } catch (e) { this.#a.release(); throw e; } } // expect: ok
  [Symbol.dispose](): void { this.#b.release(); this.#a.release(); }
}
export class B5 implements Disposable {
  #stack = new DisposableStack();
  constructor() { this.#stack.use(acquireSafe()); } // expect: ok
  [Symbol.dispose](): void { this.#stack.dispose(); }
}
export class B6 implements Disposable {
  readonly #stack: DisposableStack;
  constructor() { using s = new DisposableStack(); s.use(acquire()); s.use(acquire()); this.#stack = s.move(); } // expect: ok
  [Symbol.dispose](): void { this.#stack.dispose(); }
}
export function b7(): DisposableStack { const s = new DisposableStack(); s.use(acquireSafe()); return s; } // expect: ok
export function b8(): void { const s = b7(); // expect: leak
  note(s.disposed); }
export function b9(): void { using s = b7(); note(s.disposed); } // expect: ok
export function b10(): Handle { using s = new DisposableStack(); return s.use(acquire()); } // expect: escape
export function b11(): void { using s = new DisposableStack(); const h = s.adopt(acquire(), (x) => x.release()); h.use(); } // expect: ok
export function b12(): void { using s = new DisposableStack(); const h = acquire(); s.defer(() => h.release()); h.use(); } // expect: ok
export function b13(): void { using s = new DisposableStack(); const h = s.use(acquire()); h.release(); } // expect: double-release
export async function b14(): Promise<void> { await using s = new AsyncDisposableStack(); const h = s.use(await openAsync()); await h.read(); } // expect: ok
export async function b15(): Promise<number> { await using h = await openAsync(); return h.read(); } // expect: escape
export async function b16(): Promise<number> { await using h = await openAsync(); return await h.read(); } // expect: ok
export async function b17(): Promise<void> { const h = await tryOpenAsync(); if (h === null) return; try { await h.read(); } finally { await h.close(); } } // expect: ok
export async function b18(): Promise<void> { const h = await tryOpenAsync(); try { await h?.read(); } finally { await h?.close(); } } // expect: ok
export async function b19(): Promise<void> { const h = await tryOpenAsync(); // expect: leak
  if (!h) return; h.peek(); }
export async function b20(ms: Mutex[]): Promise<void> { // expect: ok [hard]
  const us: (() => void)[] = []; try { for (const m of ms) us.push(await m.lock()); await work(); } finally { for (const u of us) u(); }
}
export async function b21(m: Mutex): Promise<void> { const u = m.tryLock(); if (!u) return; try { await work(); } finally { u(); } } // expect: ok
export async function b22(m: Mutex): Promise<void> { const u = m.tryLock(); // expect: leak [throw:await]
  if (!u) return; await work(); u(); }
export async function b23(m: Mutex): Promise<void> { const u = m.tryLock(); // expect: leak
  if (u && cond()) { u(); } }
export async function b24(m: Mutex): Promise<void> { using _ = { [Symbol.dispose]: await m.lock() }; await work(); } // expect: ok [hard]
export async function b25(m: Mutex): Promise<() => void> { const u = await m.lock(); return u; } // expect: ok
export async function b26(m: Mutex): Promise<void> { const u = await b25(m); // expect: leak [throw:await]
  await work(); u(); }
export async function b27(): Promise<void> { const ps = [openAsync(), openAsync()]; const rs = await Promise.allSettled(ps); for (const r of rs) if (r.status === 'fulfilled') await r.value.close(); } // expect: ok [hard]
export async function b29(): Promise<void> { let h: AsyncHandle; try { h = await openAsync(); } catch { return; } await h.close(); } // expect: ok
export async function b30(): Promise<void> { for (let i = 0; i < 3; i++) { try { const h = await openAsync(); await h.close(); return; } catch { await tick(); } } } // expect: ok
export async function b31(): Promise<void> { for (let i = 0; i < 3; i++) { try { const h = await openAsync(); // expect: leak [throw:await]
  await h.read(); await h.close(); return; } catch { await tick(); } } }
export async function b32(signal: { aborted: boolean }): Promise<void> { const h = await openAsync(); try { if (signal.aborted) return; await h.read(); } finally { await h.close(); } } // expect: ok
export async function b33(signal: { aborted: boolean }): Promise<void> { const h = await openAsync(); // expect: leak
  if (signal.aborted) return; await h.close(); }
export async function b34(): Promise<void> { const h = await openAsync(); h.close(); h.peek(); } // expect: use-after-release
export async function b35(): Promise<void> { const h = await openAsync(); const c = h.close(); await c; } // expect: ok
export async function b36(): Promise<AsyncHandle> { const h = await openAsync(); try { await h.read(); return h; } catch (e) { await h.close(); throw e; } } // expect: ok
export async function b37(): Promise<AsyncHandle> { const h = await openAsync(); // expect: leak [throw:await]
  await h.read(); return h; }
export async function b38(): Promise<void> { await Promise.all([1, 2].map(async () => { const h = await openAsync(); try { await h.read(); } finally { await h.close(); } })); } // expect: ok
export async function b39(): Promise<void> { await Promise.all([1, 2].map(async () => { const h = await openAsync(); // expect: leak
  h.peek(); })); }
export async function b40(hs: AsyncHandle[]): Promise<void> { await Promise.all(hs.map((h) => h.read())); } // expect: ok
export function b41(): Promise<void> { return new Promise((resolve) => { const h = acquire(); callLater(() => { h.release(); resolve(); }); }); } // expect: ok
export function b42(): Promise<Handle> { return new Promise((resolve, reject) => { const h = tryAcquire(); if (h) resolve(h); else reject(new Error('x')); }); } // expect: ok
export function b43(): Promise<number> { return new Promise((resolve) => { const h = acquire(); // expect: leak
  resolve(h.use()); }); }
export function b44(cb: (h: Handle) => void): void { const h = acquire(); try { cb(h); } finally { h.release(); } } // expect: ok
export function b45(cb: (/** @owned */ h: Handle) => void): void { cb(acquire()); } // expect: ok
export function b46(/** @owned */ h: Handle): void { // expect: leak
  note(h.id); }
export function b47(/** @owned */ h: Handle): void { b48(h); } // expect: ok
function b48(/** @owned */ h: Handle): void { h.release(); }
export function b49(h: Handle): void { note(h.use()); } // expect: ok
export function b50(): void { const h = acquire(); b49(h); h.release(); } // expect: ok
export function b51(): void { b49(acquire()); } // expect: leak
export function b52(h: Handle | null): void { if (h) h.release(); } // expect: ok
export function b53(): void { const h = acquireOrNull(); b52(h); } // expect: ok
export function b54(): void { const h = acquireOrNull(); b52(h); h?.use(); } // expect: use-after-release
export function b55(own: boolean, h = acquireSafe()): void { try { h.use(); } finally { if (own) h.release(); } } // alt: leak
export function b56(given?: Handle): void { const h = given ?? acquire(); try { h.use(); } finally { if (!given) h.release(); } } // expect: ok [hard]
export function b57(given?: Handle): void { const h = given ?? acquire(); // expect: leak [hard]
  try { h.use(); } finally { if (given) h.release(); } }
export function b58(n: number): number { using h = acquire(); if (n === 0) return h.use(); return b58(n - 1); } // expect: ok
export function b59(n: number): Handle { if (n === 0) return acquire(); return b59(n - 1); } // expect: ok
export function b60(): void { b59(3); } // expect: leak
export function* b61(): Generator<number, void, Handle> { const h = yield 1; h.use(); } // expect: ok
export function* b62(): Generator<number> { const h = acquire(); h.release(); yield 1; yield h.use(); } // expect: use-after-release
export function b63(): void { const o = { h: acquire(), close() { this.h.release(); } }; o.close(); } // expect: ok [hard]
export function b64(): void { const o = { h: acquireSafe() }; const p = { ...o, x: 1 }; p.h.release(); } // expect: ok
export function b65(): void { const o: { h?: Handle } = {}; o.h = acquireSafe(); delete o.h; } // expect: leak
export function b66(): void { const o = { h: acquireSafe() }; o.h.release(); o.h = acquireSafe(); o.h.release(); } // expect: ok
export function b67(): void { const h = acquire(); try { note(JSON.stringify({ id: h.id })); } finally { h.release(); } } // expect: ok
export function b68(): void { const h = acquire(); if (h.released) return; h.release(); } // alt: leak
export function b69(): void { const h = acquire(); const { release } = h; release.call(h); } // expect: ok [hard]
export function b70(): void { const h = acquire(); const done = h.release.bind(h); done(); } // expect: ok [hard]
export async function b71(ns: string[]): Promise<void> { const rs = await Promise.allSettled(ns.map((n) => openAsync(n))); for (const r of rs) if (r.status === 'fulfilled') await r.value.close(); } // expect: ok [hard]
