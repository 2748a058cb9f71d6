// Idioms, as the labelled cases: see ../cases/README.md.
export async function s1(): Promise<void> { const h = await openAsync(); h.peek(); } // expect: leak
export async function s2(): Promise<void> { // expect: ok
  const h = await openAsync(); try { await h.read(); } finally { await h.close(); }
}
export async function s3(): Promise<void> { void openAsync(); } // expect: leak
export async function s4(): Promise<void> { await openAsync(); } // expect: leak
export async function s5(): Promise<void> { const p = openAsync(); // expect: leak [throw:await]
  await work(); const h = await p; await h.close(); }
export async function s6(): Promise<void> { const p = openAsync(); const h = await p; await h.close(); } // expect: ok
export async function s7(): Promise<void> { const p = openAsync(); note(typeof p); } // expect: leak
export async function s8(): Promise<number> { const h = await acquireAsync(); try { return borrowAsync(h); } finally { h.release(); } } // expect: use-after-release
export function s9(): Promise<number> { // expect: ok
  return openAsync().then((h) => h.read().finally(() => h.close()));
}
export function s10(): Promise<number> { return openAsync().then((h) => h.peek()); } // expect: leak
export function s11(): Promise<number> { return openAsync().then(async (h) => { const n = await h.read(); await h.close(); return n; }); } // expect: leak [throw:await]
export async function s12(): Promise<void> { const h = await acquireAsync(); work().then(() => h.release()); } // expect: leak [throw:await]
export async function s13(): Promise<void> { const h = await acquireAsync(); void work().finally(() => h.release()); } // expect: ok
export async function s14(): Promise<void> { const h = await acquireAsync(); work().then(() => h.release(), () => h.release()); } // expect: ok
export async function s15(): Promise<void> { const h = await acquireAsync(); work().then(() => note(1)).catch(note).then(() => h.release()); } // expect: ok
export async function s16(): Promise<void> { const h = await acquireAsync(); await consumeAsync(h); } // expect: ok
export async function s17(): Promise<void> { const h = await acquireAsync(); await consumeAsync(h); h.use(); } // expect: use-after-release
export async function s18(): Promise<void> { const h = await acquireAsync(); await tick(); h.release(); } // expect: ok
export async function s19(): Promise<void> { const h = await acquireAsync(); const p = borrowAsync(h); h.release(); await p; } // expect: use-after-release
export async function s20(): Promise<void> { const [a, b] = await Promise.all([openAsync(), openAsync()]); await a.close(); await b.close(); } // expect: ok
export async function s21(): Promise<void> { const [a, b] = await Promise.all([openAsync(), openAsync()]); await Promise.all([a.close(), b.close()]); } // expect: ok
export async function s22(): Promise<void> { const [a, b] = await Promise.all([openAsync(), openAsync()]); await a.close(); note(b.id); } // expect: leak
export async function s23(): Promise<AsyncHandle> { return openAsync(); } // expect: ok
export async function s24(): Promise<void> { const h = await s23(); await h.close(); } // expect: ok
export async function s25(): Promise<void> { const h = await s23(); h.peek(); } // expect: leak
export async function s26(): Promise<void> { const h = await withTimeout(openAsync(), 5); await h.close(); } // expect: ok
export async function s27(): Promise<void> { const h = await withTimeout(openAsync(), 5); h.peek(); } // expect: leak
export async function s28(m: Mutex): Promise<number> { // expect: ok
  return m.runExclusive(async () => { const h = await openAsync(); try { return await h.read(); } finally { await h.close(); } });
}
export async function s29(m: Mutex): Promise<number> { return m.runExclusive(async () => { const h = await openAsync(); // expect: leak [throw:await]
   const n = await h.read(); await h.close(); return n; }); }
export async function s30(): Promise<number> { // expect: ok
  const h = await openAsync(); const n = await h.read().catch(() => 0); await h.close(); return n;
}
export async function s31(): Promise<void> { for await (const x of gen()) { const h = await openAsync(); try { note(x); } finally { await h.close(); } } } // expect: ok
declare function gen(): AsyncGenerator<number>;
export async function s32(): Promise<void> { const h = await openAsync(); for await (const x of gen()) note(x); await h.close(); } // expect: leak [throw:await]
export async function s33(m: Mutex): Promise<void> { const unlock = await m.lock(); try { await work(); } catch (e) { unlock(); throw e; } unlock(); } // expect: ok
export async function s34(m: Mutex): Promise<void> { const unlock = await m.lock(); unlock(); unlock(); } // expect: double-release
export async function s35(m: Mutex): Promise<void> { await m.lock().then((unlock) => { note(1); unlock(); }); } // expect: ok
export async function s36(pool: Pool): Promise<number[]> { const c = await pool.connect(); // expect: leak [throw:await]
  const r = await c.query("x"); c.free(); return r; }
export async function s37(pool: Pool): Promise<number[]> { const c = await pool.connect(); try { return c.query("x"); } finally { c.free(); } } // expect: use-after-release
export function s38(): void { setTimeout(async () => { const h = await openAsync(); h.peek(); }, 1); } // expect: leak
export async function s39(): Promise<void> { try { const h = await openAsync(); await h.close(); } catch (e) { note(e); } } // expect: ok
export async function s40(): Promise<void> { await Promise.race([work(), openAsync()]); } // expect: leak
