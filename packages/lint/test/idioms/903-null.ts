// Idioms, as the labelled cases: see ../cases/README.md.
export function n1(): void { // expect: ok
  const h = tryAcquire(); if (h) { h.use(); h.release(); }
}
export function n2(): void { // expect: ok
  const h = acquireOrNull(); if (h === null) return; h.release();
}
export function n3(): void { // expect: ok
  const h = acquireOrNull(); if (h == null) return; h.release();
}
export function n4(): void { // expect: ok
  const h = tryAcquire(); if (typeof h === "undefined") return; h.release();
}
export function n5(): void { const h = tryAcquire(); h?.use(); } // expect: leak
export function n6(): void { // expect: ok
  const h = tryAcquire() ?? acquire(); h.release();
}
export function n7(): void { // expect: ok
  let h: Handle | undefined;
  if (cond()) h = acquire();
  if (h) h.release();
}
export function n8(): void { // expect: ok
  let h: Handle | undefined;
  try { h = acquire(); risky(); } finally { if (h) h.release(); }
}
export function n9(): void { // expect: ok
  let h: Handle | null = null;
  try { h = acquire(); risky(); h.release(); h = null; } catch (e) { h?.release(); throw e; }
}
export function n10(): void { // expect: ok
  let h: Handle | undefined = acquire();
  h.release(); h = undefined;
  if (h !== undefined) (h as Handle).release();
}
export async function n11(): Promise<void> { // expect: ok
  const h = await tryOpenAsync(); if (!h) return; await h.close();
}
export async function n12(): Promise<void> { const h = await tryOpenAsync(); if (!h) return; h.peek(); } // expect: leak
export function n13(): void { // expect: ok
  const h = tryAcquire(); if (h instanceof Handle) h.release();
}
function isHandle(h: Handle | undefined): h is Handle { return h !== undefined; }
export function n14(): void { // expect: ok
  const h = tryAcquire(); if (isHandle(h)) h.release();
}
export function n15(): void { // expect: ok
  const h = tryAcquire(); if (!h || h.id < 0) { h?.release(); return; } h.release();
}
export function n16(): void {
  const h = tryAcquire(); // expect: leak
  if (!h || h.id < 0) { return; } h.release();
}
export function n17(): void { // expect: ok
  const u = new Mutex().tryLock(); if (u) u();
}
export function n18(): void { const u = new Mutex().tryLock(); if (!u) return; note(1); } // expect: leak
export function n19(): void { // expect: ok
  const u = new Mutex().tryLock(); u?.();
}
export function n20(): void { // expect: ok
  const h = tryAcquire(); consumeMaybe(h);
}
export function n21(): void { // expect: ok
  const r = attempt(); if (r.ok) r.handle.release(); else note(r.error);
}
export function n22(): void { // expect: ok
  const r = attempt(); if (!r.ok) return; r.handle.release();
}
export function n23(): void { const r = attempt(); if (r.ok) note(r.handle.id); } // expect: leak
export function n24(): void { // expect: ok
  const h = tryAcquire(); try { h?.check(); } finally { h?.[Symbol.dispose](); }
}
export function n25(): void { // expect: ok
  const h = tryAcquire(); h && h.release();
}
