// Watches the main thread from another thread and ends a program text that does not return.
import { Worker } from 'node:worker_threads';
import { moduleBeside, ownFolders } from '@poundlock/core/internal/base';

/** How long a program text may run without a sign of life from its thread. */
export const MAX_SILENT_MS = 10_000;

/** The data that the watching thread receives. */
export interface Watched {
  /** Counts up whenever the main thread gets to do anything else. */
  readonly beat: Int32Array;
  readonly silentMs: number;
  readonly cwd: string;
  /** The URLs of poundlock's own code. */
  readonly own: readonly string[];
}

let watched: Watched | undefined;

/**
 * From now on, an infinite loop in a program text is reported on stderr with its position, and the
 * process ends with exit code 2. The blocked thread itself could not do that.
 */
export function oversee(cwd: string, silentMs = MAX_SILENT_MS): void {
  if (watched !== undefined) return;
  const beat = new Int32Array(new SharedArrayBuffer(4));
  watched = { beat, silentMs, cwd, own: ownFolders() };
  setInterval(() => void Atomics.add(beat, 0, 1), silentMs / 10).unref();
  const thread = moduleBeside('./overseer-thread', import.meta.url);
  new Worker(thread, { workerData: watched, execArgv: [] }).unref();
}
