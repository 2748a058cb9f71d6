// What only a class of the project suggests: its owner releases it on another path, or made it.
import { openSync, closeSync, readSync } from 'node:fs';

declare function check(name: string): Promise<void>;

class Journal {
  readonly #fd: number;
  constructor(path: string) {
    this.#fd = openSync(path, 'r');
  }
  read(): number {
    return readSync(this.#fd, Buffer.alloc(1));
  }
  close(): void {
    closeSync(this.#fd);
  }
}
class View {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  [Symbol.dispose](): void {}
}

/** Whether its end is the duty of this function, nothing shows. */
export async function unknownOwner(path: string): Promise<Journal> {
  const journal = new Journal(path); // expect: ok
  await check(path);
  return journal;
}
export async function shownOwner(path: string): Promise<number> {
  const journal = new Journal(path); // expect: leak
  await check(path);
  const count = journal.read();
  journal.close();
  return count;
}
export function forgotten(path: string): number {
  const journal = new Journal(path); // expect: leak
  return journal.read();
}
export class Log {
  readonly #journal = new Journal('a'); // expect: ok
  next(): number {
    return this.#journal.read();
  }
}
export class Window {
  readonly #view = new View('a'); // expect: leak
  get title(): string {
    return this.#view.name;
  }
}
export async function viewed(name: string): Promise<string> {
  const view = new View(name); // expect: leak
  await check(name);
  const text = view.name;
  view[Symbol.dispose]();
  return text;
}
export async function handedOn(name: string): Promise<View> {
  const view = new View(name); // expect: ok
  await check(name);
  return view;
}

/** A misuse shows where release and use are in one function. */
export function late(path: string): number {
  const fd = openSync(path, 'r');
  closeSync(fd);
  return readSync(fd, Buffer.alloc(1)); // expect: use-after-release
}
