import { p, loadAsync, load, cond, type Stage } from './stage.js';
declare function work(b: Uint8Array): Promise<number>;
export async function wrong1() {
  const s = await p.acquireAsync(); // WRONG leak
  await work(s.bytes);
  s.release();
}
export async function right1() { const s = await p.acquireAsync(); try { await work(s.bytes); } finally { s.release(); } }
export async function wrong2() {
  const s = p.acquireStage();
  const jobs = [work(s.bytes), work(s.bytes)];
  s.release(); // WRONG late
  await Promise.all(jobs);
}
export async function right2() { const s = p.acquireStage(); try { await Promise.all([work(s.bytes), work(s.bytes)]); } finally { s.release(); } }
export async function wrong3() {
  const s = p.acquireStage();
  work(s.bytes).finally(() => load(s.bytes)); // WRONG late
  s.release();
}
export function right3() { const s = p.acquireStage(); return work(s.bytes).finally(() => s.release()); }
export async function wrong4() {
  p.acquireAsync(); // WRONG leak
}
export async function wrong5() {
  const q = p.acquireAsync(); // WRONG leak
  if (cond()) return;
  (await q).release();
}
export async function right5() { const q = p.acquireAsync(); (await q).release(); }
export async function wrong6() {
  const all = await Promise.all([p.acquireAsync(), p.acquireAsync()]); // WRONG leak
  load(all[0]!.bytes);
}
export async function right6() { const all = await Promise.all([p.acquireAsync(), p.acquireAsync()]); for (const s of all) s.release(); }
export async function wrong7() {
  const s = await p.acquireAsync();
  s.release();
  await work(s.bytes); // WRONG late
}
export function wrong8() {
  return p.acquireAsync().then((s) => s.index); // WRONG leak
}
export function right8() { return p.acquireAsync().then((s) => { const i = s.index; s.release(); return i; }); }
export async function right9() { const s = p.acquireStage(); const n = work(s.bytes.slice()); s.release(); return n; }
export async function* wrong9() {
  const s = p.acquireStage(); // WRONG leak
  yield 1;
  s.release();
}
export async function* right10() { const s = p.acquireStage(); try { yield s.index; } finally { s.release(); } }
export function* pages() { for (let i = 0; i < 3; i++) { const s = p.acquireStage(); try { yield s; } finally { s.release(); } } }
export function right11() { for (const s of pages()) load(s.bytes); }
export function wrong12() {
  let last: Stage | undefined;
  for (const s of pages()) last = s;
  if (last) load(last.bytes); // WRONG late
}
