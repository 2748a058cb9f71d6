// Idioms of every kind, written down before the analysis saw them: see ../cases/README.md.
export function a1(): void { // expect: ok
  const h = acquire(); label: { if (cond()) break label; note(1); } h.release();
}
export function a2(): void { const h = acquire(); // expect: leak
  label: { if (cond()) break label; h.release(); } }
export function a3(n: number): void { // expect: ok
  const h = acquire(); switch (n) { case 1: h.release(); break; case 2: consume(h); break; default: h[Symbol.dispose](); }
}
export function a4(n: number): void { const h = acquire(); // expect: leak
  switch (n) { case 1: h.release(); break; case 2: consume(h); break; } }
export function a5(k: 'a' | 'b'): void { // expect: ok
  const h = acquire(); switch (k) { case 'a': h.release(); return; case 'b': consume(h); return; }
}
export function a6(): void { // expect: ok
  let h: Handle | undefined; try { h = acquire(); h.check(); } catch { note(1); } finally { h?.release(); h = undefined; }
}
export function a7(): void { // expect: ok
  const h = acquire(); try { h.check(); } catch (e) { h.release(); throw e; } h.release();
}
export function a8(): void {
  const h = acquire(); try { h.check(); h.release(); } catch (e) { h.release(); throw e; } // expect: ok
}
export function a9(): void {
  const h = acquire(); try { h.release(); risky(); } catch (e) { h.release(); } // expect: double-release
}
export function a10(): number { const h = acquire(); return h.use() + (h.release(), 1); } // expect: ok
export function a11(): number { const h = acquire(); return (h.release(), h.use()); } // expect: use-after-release
export function a12(b: boolean): void { // expect: ok
  const h = b ? acquire() : null; if (b) h!.release();
}
export function a13(b: boolean): void { // expect: ok
  const h = b ? acquire() : undefined; if (h !== undefined) { h.release(); }
}
export function a14(b: boolean): void { const h = b ? acquire() : undefined; // expect: leak
  if (h === undefined) return; note(h.id); }
export function a15(): void { // expect: ok
  const h = tryAcquire(); if (!h) throw new Error('no'); h.release();
}
export function a16(): Handle { const h = tryAcquire(); if (h) return h; return acquire(); } // expect: ok
export function a17(): Handle { return tryAcquire() ?? acquire(); } // expect: ok
export function a18(): void { const h = tryAcquire() ?? fail('none'); h.release(); } // expect: ok
export function a19(): void { const h = tryAcquire(); // expect: leak
  note(h?.id); }
export function a20(): void { let h = acquire(); h = acquire(); // expect: leak
  h.release(); }
export function a21(): void {
  let h = acquire(); const old = h; h = acquireSafe(); old.release(); h.release(); // expect: ok
}
export function a22(): void { let a = acquire(), b = acquireSafe(); [a, b] = [b, a]; a.release(); b.release(); } // expect: ok
export function a23(): void { let a = acquire(); const b = acquireSafe(); a.release(); a = b; a.release(); } // expect: ok
export function a24(): void { let a = acquire(); const b = acquireSafe(); a.release(); a = b; a.release(); b.release(); } // expect: double-release
export function a25(): void { const { handle } = acquireWithMeta(); handle.release(); } // expect: ok
export function a26(): void { const { meta } = acquireWithMeta(); // expect: leak
  note(meta.label); }
export function a27(): void { const { handle: h = acquireSafe() } = acquireWithMeta(); h.release(); } // expect: ok
export function a28(): void { const r = attempt(); if (!r.ok) { note(r.error); return; } r.handle.release(); } // expect: ok
export function a29(): void { const r = attempt(); // expect: leak
  if (r.ok) note(r.handle.id); }
export function a30(): Handle { const r = attempt(); if (!r.ok) throw r.error; return r.handle; } // expect: ok
export function a31(): void { const [a, b] = acquireTwo(); a.release(); b.release(); } // expect: ok
export function a32(): void { const [a] = acquireTwo(); // expect: leak
  a.release(); }
export function a33(): void { const pair = acquireTwo(); for (const h of pair) h.release(); } // expect: ok
export function a34(): void { const t = begin(); try { t.put('a', 1); t.validate(); t.commit(); } catch (e) { t.rollback(e); throw e; } } // expect: ok
export function a35(): void { const t = begin(); // expect: leak [throw:call]
  t.validate(); t.commit(); }
export function a36(): void { const t = begin(); try { t.validate(); t.commit(); } finally { t.rollback(); } } // expect: double-release
export function a37(): void { const t = begin(); let done = false; try { t.validate(); t.commit(); done = true; } finally { if (!done) t.rollback(); } } // expect: ok [hard]
export function a38(): void { const w = wrap(acquire()); w.end(); } // expect: ok
export function a39(): void { const w = wrap(acquire()); // expect: leak
  w.get(); }
export function a40(): void { const h = acquire(); const w = wrap(h); w.end(); h.release(); } // expect: double-release
export function a41(): void { const h = acquire(); let e: Envelope; try { e = new Envelope(h); } catch (x) { h.release(); throw x; } e.end(); } // expect: ok
export function a42(): void { const h = acquire(); // expect: leak [throw:call]
  const e = new Envelope(h); e.end(); }
export function a43(): void { const t = new Trap(); t.arm(); t.disarm(); } // expect: ok
export function a44(): void { const t = new Trap(); note(t.armed()); } // expect: ok
export function a45(): void { const t = new Trap(); // alt: leak
  t.arm(); // expect: leak
  note(t.armed()); }
export function a46(): void { const t = new Trap(); // alt: leak
  if (cond()) t.arm(); // expect: leak
}
export function a47(): void { const t = new Trap(); if (cond()) { t.arm(); t.disarm(); } } // expect: ok
export function a48(): void { const s = new Soft(); s.dispose(); s.dispose(); } // expect: ok
export function a49(): void { const s = new Soft(); s.dispose(); s.use(); } // expect: use-after-release
export function a50(): void { const t = acquireTouchy(); t.release(); } // expect: ok
export function a51(): void { const t = acquireTouchy(); const h = acquireSafe(); // expect: leak [throw:release]
  t.release(); h.release(); }
export function a52(): void { using t = acquireTouchy(); using h = acquire(); t.use(); h.use(); } // expect: ok
export function a53(): void { const h = acquire().tune(3).tune(4); h.release(); } // expect: ok
export function a54(): void { acquire().tune(3).release(); } // expect: ok
export function a55(): void { const h = acquire(); const g = tap(h); g.release(); h.release(); } // expect: double-release
export function a56(): void { const h = acquire(); const g = tap(tap(h)); g.use(); h.release(); } // expect: ok
export function a57(): void { consumeBoth(acquireSafe(), acquireSafe()); } // expect: ok
export function a58(): void { consumeBoth(acquireSafe(), acquire()); } // expect: leak [throw:call]
export function a59(): void { const h = acquire(); consumeBoth(h, h); } // expect: double-release
export function a60(): void { const h = acquire(); while (consumeStep(h)) note(1); } // expect: double-release
export function a61(): void { start({ handle: acquire() }); } // expect: ok
export function a62(): void { const o = { handle: acquire() }; start(o); o.handle.use(); } // expect: use-after-release
export function a63(): void { consumeAll([acquireSafe(), acquireSafe()]); } // expect: ok
export function a64(): void { const hs = [acquireSafe()]; borrowAll(hs); // alt: leak
} // hs lost
export function a65(): void { consumeMaybe(tryAcquire()); } // expect: ok
export function a66(): void { const h = tryAcquire(); consumeMaybe(h); h?.use(); } // expect: use-after-release
export function a67(p: Pool): Promise<number[]> { return p.withConn((c) => c.query('x')); } // expect: ok
let kept: Conn | undefined;
export function a68(p: Pool): Promise<void> { return p.withConn(async (c) => { kept = c; }); } // expect: escape
export async function a69(p: Pool): Promise<void> { const c = await p.connect(); try { await c.query('x'); } finally { p.giveBack(c); } } // expect: ok
export async function a70(p: Pool): Promise<void> { const c = await p.connect(); try { const t = await c.transaction(); try { t.validate(); t.commit(); } catch (e) { t.rollback(e); throw e; } } finally { c.free(); } } // expect: ok
export async function a71(p: Pool): Promise<void> { const c = await p.connect(); try { const t = await c.transaction(); // expect: leak [throw:call]
  t.validate(); t.commit(); } finally { c.free(); } } // alt: order
