import { p, load, cond, mayFail, type Stage } from './stage.js';
export function wrong1(k: number) {
  const s = p.acquireStage(); // WRONG leak
  switch (k) { case 0: s.release(); break; case 1: s.releaseWithoutSignal(); break; default: load(s.bytes); }
}
export function right1(k: number) { const s = p.acquireStage(); switch (k) { case 0: s.release(); break; default: s.releaseWithoutSignal(); } }
export function wrong2() {
  const s = p.tryAcquire(); // WRONG leak
  if (s === undefined) return 0;
  return s.index;
}
export function right2() { const s = p.tryAcquire(); if (!s) return 0; const n = s.index; s.release(); return n; }
export function right3() { const s = p.tryAcquire(); s?.release(); }
export function wrong3() {
  const s = p.tryAcquire(); // WRONG leak
  if (s && cond()) s.release();
}
export function wrong4() {
  const s = cond() ? p.acquireStage() : undefined;
  s?.release();
  s?.release(); // WRONG double
}
export function right4() { const s = cond() ? p.acquireStage() : p.tryAcquire(); s?.release(); }
export function wrong5() {
  let s: Stage | undefined = p.acquireStage(); // WRONG leak
  s = undefined;
  s = p.acquireStage();
  s.release();
}
export function right5() { let s: Stage | undefined; try { s = p.acquireStage(); mayFail(s.bytes); } finally { s?.release(); } }
export function wrong6() {
  outer: for (let i = 0; i < 3; i++) {
    const s = p.acquireStage(); // WRONG leak
    for (let j = 0; j < 3; j++) if (cond()) continue outer;
    s.release();
  }
}
export function right6() { outer: for (let i = 0; i < 3; i++) { const s = p.acquireStage(); try { for (let j = 0; j < 3; j++) if (cond()) continue outer; } finally { s.release(); } } }
export function wrong7() {
  const s = p.acquireStage();
  const t = s;
  s.release();
  t.release(); // WRONG double
}
export function right7() { const s = p.acquireStage(); const t = s; t.release(); }
export function wrong8() {
  const o = { s: p.acquireStage() }; // WRONG leak
  load(o.s.bytes);
}
export function right8() { const o = { s: p.acquireStage() }; load(o.s.bytes); o.s.release(); }
export function wrong9() {
  const { a, b } = { a: p.acquireStage(), b: p.acquireStage() }; // WRONG leak
  a.release();
}
export function right9() { const { a, b } = { a: p.acquireStage(), b: p.acquireStage() }; a.release(); b.release(); }
export function wrong10() {
  const [a, b] = [p.acquireStage(), p.acquireStage()]; // WRONG leak
  b.release();
}
function finish(s: Stage) { load(s.bytes); s.release(); }
function peek(s: Stage) { return s.index; }
export function wrong11() {
  const s = p.acquireStage(); finish(s);
  s.release(); // WRONG double
}
export function wrong12() {
  const s = p.acquireStage(); // WRONG leak
  return peek(s);
}
export function right11() { const s = p.acquireStage(); peek(s); finish(s); }
function open() { return p.acquireStage(); }
export function wrong13() {
  const s = open(); // WRONG leak
  load(s.bytes);
}
export function right13() { const s = open(); s.release(); }
function maybe(): Stage | null { return cond() ? p.acquireStage() : null; }
export function wrong14() {
  const s = maybe(); // WRONG leak
  if (s !== null) load(s.bytes);
}
export function right14() { const s = maybe(); if (s !== null) s.release(); }
function both(a: Stage, b: Stage) { a.release(); b.release(); }
export function wrong15() {
  const s = p.acquireStage();
  both(s, s); // WRONG double
}
export function right15() { both(p.acquireStage(), p.acquireStage()); }
export function wrong16(s: Stage) {
  s.release();
  load(s.bytes); // WRONG late
}
function recursive(n: number, s: Stage): void { if (n === 0) { s.release(); return; } recursive(n - 1, s); }
export function right16() { recursive(3, p.acquireStage()); }
