// Watches the main thread from another one: a program text that never comes back is ended.
import { Worker } from 'node:worker_threads';
import { moduleBeside, ownFolders } from '@poundlock/core/internal/base';

/** A text may run so long without a sign of life from the thread that it keeps busy. */
export const MAX_SILENT_MS = 10_000;

/** What the watching thread is told. */
export interface Watched {
  /** Counts up for as long as the main thread gets to do anything else. */
  readonly beat: Int32Array;
  readonly silentMs: number;
  readonly cwd: string;
  /** The URLs below which poundlock's own code is. */
  readonly own: readonly string[];
}

let watched: Watched | undefined;

/**
 * From now on, a loop in a program text that has no end is told on stderr with its place, and the
 * process ends with exit code 2. No code in this thread could: it is the one that is kept busy.
 */
export function oversee(cwd: string, silentMs = MAX_SILENT_MS): void {
  if (watched !== undefined) return;
  const beat = new Int32Array(new SharedArrayBuffer(4));
  watched = { beat, silentMs, cwd, own: ownFolders() };
  setInterval(() => void Atomics.add(beat, 0, 1), silentMs / 10).unref();
  const thread = moduleBeside('./overseer-thread', import.meta.url);
  new Worker(thread, { workerData: watched, execArgv: [] }).unref();
}
