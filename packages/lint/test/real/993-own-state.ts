// What a handle says of itself, and what its promise gives.
import { spawn } from 'node:child_process';
import { promises as fs, type FileHandle } from 'node:fs';
import readline from 'node:readline';

/** The child ends by itself; what is left of it is killed. */
export async function* lines(signal: AbortSignal): AsyncGenerator<string> {
  const child = spawn('a');
  const reader = readline.createInterface({ input: child.stdout });
  let isFinished = false;
  try {
    for await (const line of reader) {
      if (signal.aborted) break;
      yield line;
    }
    isFinished = true;
  } finally {
    reader.close();
    if (!isFinished && child.exitCode === null && !child.killed) child.kill();
    await new Promise((resolve) => void child.on('exit', resolve));
  }
}
export async function killed(work: () => Promise<boolean>): Promise<void> {
  const child = spawn('a'); // expect: leak
  if (await work()) child.kill();
}

export class Log {
  file: FileHandle | undefined;
  readonly #opening: Promise<FileHandle | undefined>;
  constructor(path: string) {
    this.#opening = fs
      .open(path, 'a')
      .then((file) => (this.file = file))
      .catch(() => undefined);
  }
  close(): Promise<void> {
    this.file = undefined;
    return this.#opening.then((file) => file?.close());
  }
}
export class Unclosed {
  file: FileHandle | undefined;
  readonly #opening: Promise<FileHandle | undefined>;
  constructor(path: string) {
    this.#opening = fs // expect: leak
      .open(path, 'a')
      .then((file) => (this.file = file))
      .catch(() => undefined);
  }
  close(): Promise<void> {
    this.file = undefined;
    return this.#opening.then((file) => void file?.sync());
  }
}
