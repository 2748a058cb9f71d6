// Waits for the results of jobs: by events, and by a look at each job that they may miss.
import type { Queue } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FarmResult } from './job.ts';
import { openEvents, type Place, type QueueName } from './queues.ts';

/** How long without an event until all jobs are looked at: events can be lost with a connection. */
const LOOK_AFTER_MS = 3_000;
const POLL_MS = 100;
/** Jobs that are looked at together. */
const BATCH = 200;

/** Which jobs are waited for. */
export interface Wanted {
  readonly ids: readonly string[];
  readonly onResult: (result: FarmResult) => void;
  readonly isStopped: () => boolean;
}

/** Calls back once for each job. */
export async function collect(
  place: Place,
  name: QueueName,
  queue: Queue<string, string>,
  { ids, onResult, isStopped }: Wanted,
): Promise<void> {
  const open = new Set(ids);
  let newsAt = 0;
  const done = (result: FarmResult): void => {
    newsAt = performance.now();
    // A result that arrives twice is one result.
    if (open.delete(result.id)) onResult(result);
  };
  const events = openEvents(place, name);
  events.on('completed', ({ jobId, returnvalue }) => {
    done({ id: jobId, result: String(returnvalue) });
  });
  events.on('failed', ({ jobId, failedReason }) => done({ id: jobId, failure: failedReason }));
  try {
    await events.waitUntilReady();
    while (open.size > 0 && !isStopped()) {
      if (performance.now() - newsAt > LOOK_AFTER_MS) {
        await look(queue, [...open], done);
        newsAt = performance.now();
      }
      await sleep(POLL_MS);
    }
  } finally {
    await events.close();
  }
}

/** Asks for each job whether it is done. */
async function look(
  queue: Queue<string, string>,
  ids: readonly string[],
  done: (result: FarmResult) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += BATCH) {
    const jobs = await Promise.all(ids.slice(at, at + BATCH).map((id) => queue.getJob(id)));
    for (const job of jobs) {
      if (job?.id === undefined || job.finishedOn === undefined) continue;
      if (job.failedReason) done({ id: job.id, failure: job.failedReason });
      else done({ id: job.id, result: String(job.returnvalue) });
    }
  }
}
