import { p, load, cond, type Stage } from './stage.js';
export function wrong1() {
  const held: Stage[] = [];
  held.push(p.acquireStage()); // WRONG leak
  held.length = 0;
}
export function wrong2() {
  const held = [p.acquireStage(), p.acquireStage()]; // WRONG leak
  held.pop()!.release();
}
export function right2() { const held = [p.acquireStage(), p.acquireStage()]; while (held.length) held.pop()!.release(); }
export function right3() { const held = [p.acquireStage()]; while (held.length > 0) held.shift()!.release(); }
export function right4() { const set = new Set<Stage>(); set.add(p.acquireStage()); for (const s of set) s.release(); set.clear(); }
export function right5() { const set = new Set<Stage>([p.acquireStage(), p.acquireStage()]); set.forEach((s) => s.release()); }
export function wrong3() {
  const set = new Set<Stage>(); const s = p.acquireStage(); set.add(s); // WRONG leak
  set.delete(s);
}
export function right6() { const set = new Set<Stage>(); const s = p.acquireStage(); set.add(s); set.delete(s); s.release(); }
export function wrong4(n: number) {
  const all = Array.from({ length: n }, () => p.acquireStage()); // WRONG leak
  for (const s of all) load(s.bytes);
}
export function right7(n: number) { const all = Array.from({ length: n }, () => p.acquireStage()); all.forEach((s) => s.release()); }
export function wrong5(n: number) {
  const all: Stage[] = [];
  for (let i = 0; i < n; i++) all.push(p.acquireStage()); // WRONG leak
  all.filter((s) => s.index > 0).forEach((s) => s.release());
}
export function right8(n: number) { const all: Stage[] = []; for (let i = 0; i < n; i++) all.push(p.acquireStage()); all.reverse().forEach((s) => s.release()); }
export function wrong6() {
  const m = new Map([['a', p.acquireStage()]]); // WRONG leak
  m.delete('a');
}
export function right9() { const m = new Map([['a', p.acquireStage()]]); m.get('a')!.release(); m.delete('a'); }
export function right10() { const m = new Map<string, Stage>(); m.set('a', p.acquireStage()); for (const [, s] of m) s.release(); }
export function right11() { const m = new Map<string, Stage>(); m.set('a', p.acquireStage()); m.forEach((s) => s.release()); }
export function wrong7() {
  const rec: Record<string, Stage> = {};
  rec['a'] = p.acquireStage(); // WRONG leak
  delete rec['a'];
}
export function right12() { const rec: Record<string, Stage> = {}; rec['a'] = p.acquireStage(); rec['a'].release(); delete rec['a']; }
export function wrong8() {
  const held = [p.acquireStage()];
  const [first] = held;
  first!.release();
  for (const s of held) s.release(); // WRONG double
}
export function wrong9() {
  const held = [p.acquireStage(), p.acquireStage()]; // WRONG leak
  for (const s of held.splice(0)) { if (cond()) break; s.release(); }
}
export function right13() { const a = [p.acquireStage()]; const b = [...a, p.acquireStage()]; for (const s of b) s.release(); }
export function right14() { const a: Stage[] = []; a.push(p.acquireStage(), p.acquireStage()); for (let i = 0; i < a.length; i++) a[i]!.release(); }
export function right15() { const all = [1, 2, 3].map(() => p.acquireStage()); all.map((s) => s.release()); }
export function wrong10() {
  const all = [1, 2, 3].map(() => p.acquireStage()); // WRONG leak
  return all.length;
}
export function right16() { const all = [1, 2, 3].map(() => p.acquireStage()); return all; }
export function right17() { const grid = [[p.acquireStage()], [p.acquireStage()]]; for (const row of grid) for (const s of row) s.release(); }
export function wrong11() {
  const grid = [[p.acquireStage()]]; // WRONG leak
  for (const row of grid) load(row[0]!.bytes);
}
export function right18() { const held: Stage[] = []; held.unshift(p.acquireStage()); let s: Stage | undefined; while (s = held.shift()) s.release(); }
export function right19() { const a = [p.acquireStage()]; const s = a.at(0); s!.release(); }
export function right20() { const m = new Map<number, Stage>(); const s = p.acquireStage(); m.set(1, s); m.delete(1); s.release(); }
