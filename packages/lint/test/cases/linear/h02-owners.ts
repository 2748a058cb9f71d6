import { p, q, load, cond, type Stage } from './stage.js';
export class Queue {
  readonly #held: Stage[] = [];
  add(s: Stage) { this.#held.push(s); }
  take() { return this.#held.shift(); }
  close() { for (const s of this.#held.splice(0)) s.release(); }
}
export function right1() { const k = new Queue(); k.add(p.acquireStage()); k.close(); }
export class Lazy {
  #s?: Stage;
  get stage() { return (this.#s ??= p.acquireStage()); }
  [Symbol.dispose]() { this.#s?.release(); }
}
export function right2() { using l = new Lazy(); load(l.stage.bytes); }
export class Outer {
  readonly #inner = new Lazy();
  close() { this.#inner[Symbol.dispose](); }
}
export class WrongOuter {
  readonly #inner = new Lazy(); // WRONG leak
  use() { load(this.#inner.stage.bytes); }
}
export class Base { #s = p.acquireStage(); close() { this.#s.release(); } }
export class WrongHeir extends Base {
  #t = q.acquireStage();
  override close() { this.#t.release(); } // WRONG leak
}
export class RightHeir extends Base { #t = q.acquireStage(); override close() { this.#t.release(); super.close(); } }
export class WrongEarly {
  readonly #a = p.acquireStage(); readonly #b = q.acquireStage(); // WRONG leak
  close() { this.#a.release(); if (cond()) return; this.#b.release(); }
}
export class WrongStatic { // the constructor throws
  readonly #a: Stage;
  constructor() { this.#a = p.acquireStage(); if (cond()) throw new Error('no'); } // WRONG leak
  close() { this.#a.release(); }
}
export function makeOuter() { return new Outer(); }
export function wrong2() {
  const o = makeOuter(); // WRONG leak
  void o;
}
export function right3() { const o = makeOuter(); o.close(); }
export class Registry {
  readonly #open = new Map<string, Stage>();
  put(name: string) { this.#open.get(name)?.release(); this.#open.set(name, p.acquireStage()); }
  drop(name: string) { const s = this.#open.get(name); if (s) { this.#open.delete(name); s.release(); } }
  close() { for (const s of this.#open.values()) s.release(); this.#open.clear(); }
}
export function right4() { const r = new Registry(); r.put('a'); r.drop('a'); r.close(); }
