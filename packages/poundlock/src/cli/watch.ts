// Runs a command again whenever a file that it has read changes, until Ctrl-C.
import { watch, type FSWatcher } from 'node:fs';
import { dirname, join } from 'node:path';
import { counted } from '@poundlock/core/internal/base';
import { failureLines, fileName, isThere, type Host } from '@poundlock/core/internal/host';
import { ExitCode } from './exit-code.ts';

/** An editor writes a file in several steps: what it does within this time is one change. */
const SETTLE_MS = 25;

/** What is repeated. */
export interface Repeated {
  /** Runs the command once. */
  readonly once: () => Promise<ExitCode>;
  /** Paths of the files that the last run has read: a change of one of them is a reason to run. */
  readonly files: () => readonly string[];
}

/** Watches the folders of files: editors replace a file by another one of its name. */
class Watchers {
  readonly #byFolder = new Map<string, FSWatcher>();
  readonly #changed: (path: string) => void;
  #files: ReadonlySet<string> = new Set();

  constructor(changed: (path: string) => void) {
    this.#changed = changed;
  }

  /** Watches these files from now on, and no others. */
  watch(files: readonly string[]): void {
    this.#files = new Set(files);
    const folders = new Set(files.map((file) => dirname(file)));
    for (const [folder, watcher] of this.#byFolder) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#byFolder.delete(folder);
    }
    for (const folder of folders) {
      if (this.#byFolder.has(folder) || !isThere(folder)) continue;
      const watcher = watch(folder, (_event, name) => this.#seen(folder, name));
      // A folder that is removed is watched again once a file is in it.
      watcher.on('error', () => this.#byFolder.delete(folder));
      this.#byFolder.set(folder, watcher);
    }
  }

  #seen(folder: string, name: string | null): void {
    if (name === null) return this.#changed(folder);
    const path = join(folder, name);
    if (this.#files.has(path)) this.#changed(path);
  }

  close(): void {
    for (const watcher of this.#byFolder.values()) watcher.close();
  }
}

/** Runs a command, and again after each change; returns what the last run came to. */
export async function repeatOnChange(repeated: Repeated, host: Host): Promise<ExitCode> {
  const ended = Promise.withResolvers<null>();
  host.onInterrupt(() => ended.resolve(null));
  let changes = Promise.withResolvers<string>();
  const watchers = new Watchers((path) => changes.resolve(path));
  let code = await runOnce(repeated, host);
  try {
    for (;;) {
      const files = repeated.files();
      watchers.watch(files);
      host.stderr.write(`watching ${counted(files.length, 'file')}, Ctrl-C ends\n`);
      const changed = await Promise.race([ended.promise, changes.promise]);
      if (changed === null) return code;
      await new Promise((resolve) => void setTimeout(resolve, SETTLE_MS));
      changes = Promise.withResolvers<string>();
      host.stderr.write(`\n${fileName(changed, host.cwd)} has changed\n`);
      code = await runOnce(repeated, host);
    }
  } finally {
    watchers.close();
  }
}

/** A file that is broken in the middle of an edit ends no watch. */
async function runOnce({ once }: Repeated, host: Host): Promise<ExitCode> {
  try {
    return await once();
  } catch (error) {
    host.stderr.write(failureLines(error, host));
    return ExitCode.couldNotRun;
  }
}
