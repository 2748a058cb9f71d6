// Starts the threads of a test on a ring, and hears what became of each.
import { Worker } from 'node:worker_threads';
import type { Ring } from '#src/public';
import type { Job } from './worker.ts';

export type Member = Pick<Job, 'side' | 'number'> & Partial<Job>;

interface Outcome {
  /** The items that it saw, or the error that it was told. */
  readonly message: number[] | Error | undefined;
  readonly exitCode: number;
}

/** Runs one thread for each member, to its end. `onFailing` is told the thread that says so. */
export async function runCrew(
  ring: Ring<{ seq: 'i32'; by: 'i32' }>,
  members: readonly Member[],
  onFailing: (worker: Worker) => void = () => {},
): Promise<Outcome[]> {
  const workers = members.map((member) => {
    const transferred = ring.transfer();
    const job = { items: 0, failAt: -1, failure: 'none', ...member, ring: transferred };
    const resourceLimits = member.failure === 'oom' ? { maxOldGenerationSizeMb: 24 } : undefined;
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
      let message: Outcome['message'];
      worker.on('message', (given: number[] | Error | 'failing') => {
        if (given === 'failing') onFailing(worker);
        else message = given;
      });
      worker.on('error', () => {});
      worker.on('exit', resolve);
      const exitCode = await promise;
      return { message, exitCode };
    }),
  );
}
