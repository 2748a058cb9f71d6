/** @mustRelease close | abort */
export abstract class Res { abstract close(): void; abort() { this.close(); } get n() { return 1; } }
export class FileRes extends Res { close() {} /** @consumes */ drop(): void {} }
export class NetRes extends Res { close() {} async shut() {} }
/** @mustRelease stop */
export interface Runner { stop(): void; readonly id: number }
/** @mustRelease unlock */
export interface Locker { unlock(): void; readonly name: string }
export interface Both extends Runner, Locker {}
export class Impl implements Runner, Locker { id = 1; name = ''; stop() {} unlock() {} }
/** @mustRelease finish */
export type Task = { finish(): void; readonly label: string };
export type SubTask = Task & { readonly parent: string };
/** @mustCall */
export type Stop = () => void;
/** @nothrow */ declare function task(): Task;
/** @nothrow */ declare function sub(): SubTask;
/** @nothrow */ declare function both(): Both;
/** @nothrow */ declare function start(): Stop;
/** @nothrow */ declare function pick<T extends Res>(a: T): T;
/** @nothrow */ declare function create<T extends Res>(make: () => T): T;
export function wrong1() {
  const f = new FileRes(); // WRONG leak
  return f.n;
}
export function right1() { const f = new FileRes(); f.abort(); }
export function right1b() { const f = new FileRes(); f.drop(); }
export function wrong2() {
  const t = task(); // WRONG leak
  return t.label;
}
export function wrong3() {
  const t = sub(); // WRONG leak
  return t.parent;
}
export function right3() { const t = sub(); t.finish(); }
export function wrong4() {
  const stop = start(); // WRONG leak
  void stop;
}
export function right4() { const stop = start(); stop(); }
export function wrong5() {
  const stop = start(); stop();
  stop(); // WRONG double
}
export function wrong6() {
  const b = both(); // WRONG leak
  return b.id;
}
export function right6() { const b = both(); b.stop(); }
export function wrong7() {
  const c = create(() => new FileRes()); // WRONG leak
  return c.n;
}
export function right7() { const c = create(() => new NetRes()); c.close(); }
export function right8() { const f = new FileRes(); const g = pick(f); g.close(); }
export function wrong8() {
  const k = new (class extends Res { close() {} })(); // WRONG leak
  return k.n;
}
export function wrong9() {
  const i = new Impl(); // WRONG leak
  return i.id;
}
function factory(kind: string): Res { return kind === 'a' ? new FileRes() : new NetRes(); }
export function wrong10() {
  const r = factory('a'); // WRONG leak
  return r.n;
}
export function right10() { const r = factory('b'); r.close(); }
export const make = { file: () => new FileRes() };
export function wrong11() {
  const r = make.file(); // WRONG leak
  return r.n;
}
export class Holder { static open() { return new FileRes(); } }
export function wrong12() {
  const r = Holder.open(); // WRONG leak
  return r.n;
}
export function wrong13() {
  const r: Res = new FileRes();
  r.close();
  r.close(); // WRONG double
}
export function wrong14() {
  const list: Res[] = [new FileRes(), new NetRes()]; // WRONG leak
  list[0]!.close();
}
