export interface Sub extends Disposable { readonly n: number }
export interface Emitter { subscribe(f: (x: number) => void): Sub; onChange(f: () => void): Sub; readonly current: Sub; getHandle(): Sub; createWatcher(): Sub }
declare const source: Emitter;
declare const k: boolean;
export class Watch implements Disposable { [Symbol.dispose]() {} n = 2; }
export function wrong1(e: Emitter) {
  e.subscribe(() => {}); // WRONG leak
}
export function wrong2() {
  const w = source.createWatcher(); // WRONG leak
  return w.n;
}
export function wrong3() {
  const w = new Watch(); // WRONG leak
  if (k) return 0;
  w[Symbol.dispose]();
  return 1;
}
export class Wrong4 { #w = new Watch(); // WRONG leak
  get n() { return this.#w.n; } }
export class Wrong5 {
  readonly #subs: Sub[] = [];
  constructor() { this.#subs.push(source.onChange(() => {})); }
  get n() { return this.#subs.length; }
}
export function right1() { using w = source.createWatcher(); return w.n; }
export function right2() { return source.getHandle().n; }
export function right3() { const h = source.getHandle(); return h.n; }
export function right4() { const w = new Watch(); try { return w.n; } finally { w[Symbol.dispose](); } }
export class Right5 implements Disposable { readonly #w = new Watch(); readonly #s = source.subscribe(() => {}); [Symbol.dispose]() { this.#w[Symbol.dispose](); this.#s[Symbol.dispose](); } }
export function right6() { const s = source.subscribe(() => {}); setTimeout(() => s[Symbol.dispose](), 1000); }
export function right7(out: Disposable[]) { out.push(new Watch()); }
export function right8(): Disposable { return new Watch(); }
export function right9() { const all = new DisposableStack(); all.use(new Watch()); return all; }
export class Right10 { readonly #stack = new DisposableStack(); add() { this.#stack.use(source.subscribe(() => {})); } close() { this.#stack.dispose(); } }
export function right11() { const w = new Watch(); return { n: w.n, close: () => w[Symbol.dispose]() }; }
export function wrong6() {
  using w = source.createWatcher();
  setTimeout(() => w.n, 10); // WRONG escape
}
export function wrong7() {
  using w = new Watch();
  return { w }; // WRONG escape
}
source.subscribe(() => {});
export function activate() { source.subscribe(() => {}); }
