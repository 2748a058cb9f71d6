// Starts the worker threads of a test on a ring and collects their results.
import { Worker } from 'node:worker_threads';
import type { Ring } from '#src/public';
import type { Job } from './worker.ts';

export type ThreadSpec = Pick<Job, 'side' | 'number'> & Partial<Job>;

interface ThreadResult {
  /** The items that the thread received, or the error that it caught. */
  readonly message: number[] | Error | undefined;
  readonly exitCode: number;
}

/** Runs one thread for each spec, to its end. `onFailing` is called before a planned failure. */
export async function runThreads(
  ring: Ring<{ seq: 'i32'; by: 'i32' }>,
  threads: readonly ThreadSpec[],
  onFailing: (worker: Worker) => void = () => {},
): Promise<ThreadResult[]> {
  const workers = threads.map((spec) => {
    const transferred = ring.transfer();
    const job = { items: 0, failAt: -1, failure: 'none', ...spec, ring: transferred };
    const resourceLimits = spec.failure === 'oom' ? { maxOldGenerationSizeMb: 24 } : undefined;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: job,
      ...(resourceLimits && { resourceLimits }),
    });
    ring.supervise(worker, transferred);
    return worker;
  });
  return Promise.all(
    workers.map(async (worker) => {
      const { promise, resolve } = Promise.withResolvers<number>();
      let message: ThreadResult['message'];
      worker.on('message', (posted: number[] | Error | 'failing') => {
        if (posted === 'failing') onFailing(worker);
        else message = posted;
      });
      worker.on('error', () => {});
      worker.on('exit', resolve);
      const exitCode = await promise;
      return { message, exitCode };
    }),
  );
}
