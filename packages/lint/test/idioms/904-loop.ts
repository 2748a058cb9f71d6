// Idioms, as the labelled cases: see ../cases/README.md.
export function l1(n: number): void { for (let i = 0; i < n; i++) { const h = acquire(); h.use(); } } // expect: leak
export function l2(n: number): void { // expect: ok
  for (let i = 0; i < n; i++) { const h = acquire(); h.release(); }
}
export function l3(n: number): void { // expect: ok
  for (let i = 0; i < n; i++) { const h = acquire(); if (i === 3) { h.release(); continue; } h.release(); }
}
export function l4(n: number): void {
  for (let i = 0; i < n; i++) { const h = acquire(); // expect: leak
    if (i === 3) continue; h.release(); }
}
export function l5(n: number): void {
  for (let i = 0; i < n; i++) { const h = acquire(); // expect: leak
    if (i === 3) break; h.release(); }
}
export function l6(n: number): void { // expect: ok
  let h: Handle | undefined;
  for (let i = 0; i < n; i++) { h?.release(); h = acquireSafe(); }
  h?.release();
}
export function l7(n: number): void {
  const h = acquire(); // alt: leak
  while (n-- > 0) h.release(); // expect: double-release
}
export function l8(): void { // expect: ok
  let h = acquireSafe();
  while (cond()) { h.release(); h = acquireSafe(); }
  h.release();
}
export function l9(): Handle { // expect: ok
  for (;;) { const h = acquire(); if (h.use() > 2) return h; h.release(); }
}
export function l10(): Handle {
  for (;;) { const h = acquire(); // expect: leak
   if (h.use() > 2) return h; }
}
export function l11(xs: number[]): void { // expect: ok
  outer: for (const x of xs) { const h = acquire(); for (const y of xs) { if (y > x) { h.release(); continue outer; } } h.release(); }
}
export function l12(xs: number[]): void {
  outer: for (const x of xs) { const h = acquire(); // expect: leak
  for (const y of xs) { if (y > x) { continue outer; } } h.release(); }
}
export async function l13(): Promise<number> {
  let h: Handle | undefined;
  for (let i = 0; i < 3; i++) {
    try { h = await acquireAsync(); const n = h.use(); return n; } catch (e) { note(e); } finally { h?.release(); }
  }
  return 0;
}
export function l14(): void { // expect: ok
  let n = 0; let h: Handle | undefined;
  while (!h && n++ < 3) { h = tryAcquire(); }
  h?.release();
}
export function l15(hs: Handle[]): void { // expect: ok
  for (const h of hs) h.use();
}
export function l16(): void { // expect: ok
  const hs = acquireMany(3); hs.forEach((h) => h.release());
}
export function l17(): void { // expect: ok
  const hs = acquireMany(3); for (let i = 0; i < hs.length; i++) hs[i].release();
}
export function l18(): void { // expect: ok
  const hs = acquireMany(3); while (hs.length > 0) hs.pop()!.release();
}
export function l19(): void { // expect: ok
  const hs = acquireMany(3); let h: Handle | undefined; while ((h = hs.pop())) h.release();
}
export async function l20(): Promise<void> { // expect: ok
  const hs = await Promise.all([acquireAsync(), acquireAsync()]); for (const h of hs) h.release();
}
export function l21(): void { // expect: ok
  for (let i = 0; i < 3; i++) { using h = acquire(); h.use(); }
}
export function l22(): void { // expect: ok
  let h: Handle | undefined;
  do { h?.release(); h = acquireSafe(); } while (h.use() < 3);
  h.release();
}
export function l23(n: number): void { // expect: ok
  let last: Handle | null = null;
  for (let i = 0; i < n; i++) { const next = acquireSafe(); if (last) last.release(); last = next; }
  if (last) last.release();
}
export function l24(n: number): void {
  let last: Handle | null = null;
  for (let i = 0; i < n; i++) { const next = acquireSafe(); // expect: leak
   if (last) last.release(); last = next; }
}
