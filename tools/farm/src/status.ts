// How far the jobs of a farm are, who works, and what failed.
import type { Queue } from 'bullmq';
import type { QueueName } from './queues.ts';

/** What a worker says of itself. */
export interface WorkerReport {
  /** Its name: new with each start. */
  readonly id: string;
  /** The name of its machine. */
  readonly host: string;
  /** The number of its process. */
  readonly pid: number;
  /** Jobs that it runs at the same time. */
  readonly concurrency: number;
  /** Whether it runs programs that are code. */
  readonly trustsPrograms: boolean;
  /** When it was started, in milliseconds since 1970. */
  readonly startedAt: number;
  /** When it said so, in milliseconds since 1970. */
  readonly at: number;
  /** Jobs that it has done. */
  readonly done: number;
  /** Tries that failed. */
  readonly failed: number;
  /** What its process takes of memory. */
  readonly memoryBytes: number;
}

/** The state of a farm. */
export interface FarmStatus {
  /** Jobs that wait. */
  readonly waiting: number;
  /** Those of them that only a worker can run that trusts programs. */
  readonly waitingForTrust: number;
  /** Jobs that run. */
  readonly active: number;
  /** Jobs that have a result. */
  readonly completed: number;
  /** Jobs that failed on each try. */
  readonly failed: number;
  /** Workers that have reported lately, the oldest first. */
  readonly workers: readonly WorkerReport[];
  /** Workers that have stopped reporting without a goodbye. */
  readonly lost: number;
  /** The last failures, with their messages. */
  readonly failures: readonly { readonly id: string; readonly message: string }[];
}

/** A worker that has not reported for so long is lost. */
const LOST_MS = 10_000;
/** Workers and failures that are listed. */
const MAX_LISTED = 1_000;
const MAX_FAILURES = 50;

type Open = (name: QueueName) => Queue<string, string>;

/** Reads the state of a farm. */
export async function statusOf(open: Open): Promise<FarmStatus> {
  const kinds = ['waiting', 'delayed', 'prioritized', 'active', 'completed', 'failed'] as const;
  const [data, code] = await Promise.all([
    open('data').getJobCounts(...kinds),
    open('code').getJobCounts(...kinds),
  ]);
  const of = (kind: (typeof kinds)[number]): number => (data[kind] ?? 0) + (code[kind] ?? 0);
  const reports = await reportsOf(open('workers'));
  const now = Date.now();
  const workers = reports.filter(({ at }) => now - at <= LOST_MS);
  const trusted = workers.some(({ trustsPrograms }) => trustsPrograms);
  const waitingForTrust = trusted ? 0 : (code['waiting'] ?? 0) + (code['delayed'] ?? 0);
  return {
    waiting: of('waiting') + of('delayed') + of('prioritized'),
    waitingForTrust,
    active: of('active'),
    completed: of('completed'),
    failed: of('failed'),
    workers: workers.toSorted((a, b) => a.startedAt - b.startedAt),
    lost: reports.length - workers.length,
    failures: [...(await failuresOf(open('data'))), ...(await failuresOf(open('code')))],
  };
}

async function reportsOf(queue: Queue<string, string>): Promise<WorkerReport[]> {
  const jobs = await queue.getJobs(['waiting'], 0, MAX_LISTED);
  return jobs.flatMap((job) => (job === undefined ? [] : [JSON.parse(job.data) as WorkerReport]));
}

async function failuresOf(queue: Queue<string, string>): Promise<FarmStatus['failures']> {
  const jobs = await queue.getFailed(0, MAX_FAILURES - 1);
  return jobs.flatMap((job) => {
    return job?.id === undefined ? [] : [{ id: job.id, message: job.failedReason }];
  });
}
