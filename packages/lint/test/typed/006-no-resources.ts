// Iterators, generators, and timers and requests of Node have nothing to release, although their types
// have a symbol for it. What a project calls by such a name has.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
export function* numbers(): Generator<number> {
  yield 1;
  yield 2;
}
export function first(): number {
  const all = numbers();
  return all.next().value ?? 0;
}
export function timer(): void {
  const timeout = setTimeout(() => {}, 10);
  timeout.unref();
}
export function storage(): unknown {
  const store = new AsyncLocalStorage<number>();
  return store.getStore();
}
export function request(message: IncomingMessage): string {
  const other = message.setEncoding('utf8');
  return other.method ?? '';
}
export class ReportGenerator {
  [Symbol.dispose](): void {}
  run(): void {}
}
export function report(): void {
  const disposable = new ReportGenerator(); // expect: leak
  disposable.run();
}
export class Timeout {
  [Symbol.dispose](): void {}
  run(): void {}
}
export function later(): void {
  const disposable = new Timeout(); // expect: leak
  disposable.run();
}
