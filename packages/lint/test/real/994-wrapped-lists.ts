// Lists of objects that release what they were made around.
import { createInterface } from 'node:readline';

interface Ends {
  dispose(): void;
}
/** @mustRelease close */
interface Watcher {
  close(): void;
}
declare function watch(path: string): Watcher;
declare function note(text: unknown): void;

function ending(path: string): Ends {
  const watcher = watch(path);
  return { dispose: () => watcher.close() };
}

export function pushed(paths: string[]): void {
  const all: Ends[] = [];
  for (const path of paths) all.push(ending(path));
  for (const each of all) each.dispose();
}
export function neverEnded(paths: string[]): void {
  const all: Ends[] = [];
  for (const path of paths) all.push(ending(path)); // expect: leak
  note(all.length);
}
export function mapped(paths: string[]): void {
  const all = paths.map((path) => ending(path));
  if (all.length === 0) note('nothing is watched');
  for (const each of all) each.dispose();
}
export function mappedAndLost(paths: string[]): void {
  const all = paths.map((path) => ending(path)); // expect: leak
  if (all.length === 0) note('nothing is watched');
}
export function written(paths: string[]): void {
  const all: Ends[] = [];
  for (const path of paths) {
    const watcher = watch(path);
    all.push({ dispose: () => watcher.close() });
  }
  all.forEach((each) => each.dispose());
}
export function writtenAndLost(paths: string[]): void {
  const all: Ends[] = [];
  for (const path of paths) {
    const watcher = watch(path); // expect: leak
    all.push({ dispose: () => watcher.close() });
  }
  note(all.length);
}
export function functions(paths: string[]): void {
  const ends: (() => void)[] = [];
  for (const path of paths) {
    const watcher = watch(path);
    ends.push(() => watcher.close());
  }
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) end();
}

export class Drains {
  private readonly all: Ends[];
  private readonly more: Ends[] = [];
  constructor(paths: string[], others: string[]) {
    this.all = paths.length === 0 ? [] : paths.map((path) => ending(path));
    if (this.all.length === 0) note('nothing is watched');
    for (const path of others) this.more.push(ending(path));
  }
  dispose(): void {
    for (const each of this.all) each.dispose();
    for (const each of this.more) each.dispose();
  }
}

/** Nobody hears it any more: to take listeners off is no use of it. */
export function tookListenersOff(): void {
  const lines = createInterface({ input: process.stdin });
  lines.close();
  lines.off('line', note);
}
export function asksLater(): void {
  const lines = createInterface({ input: process.stdin });
  lines.close();
  lines.question('late?', note); // expect: use-after-release
}
