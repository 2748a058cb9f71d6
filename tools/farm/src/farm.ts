// A farm: jobs go in, workers on any machine run them, results come out exactly once.
import type { Job, Queue } from 'bullmq';
import { collect } from './collect.ts';
import { MAX_TRIES, type FarmJob, type FarmProgram, type FarmResult } from './job.ts';
import { isFarmUrl, openQueue, QUEUES, type Place, type QueueName } from './queues.ts';
import { statusOf, type FarmStatus } from './status.ts';
import { startWorker, type FarmWorker, type RunJob, type WorkOptions } from './worker.ts';

/** Jobs that are added with one command. */
const BULK = 500;
/** The pause before a second try. */
const BACKOFF_MS = 200;
/** The most failed jobs that are tried anew when they are added again. */
const MAX_FAILED = 100_000;

/** Where a farm is: see {@link Farm.open}. */
export interface FarmOptions {
  /** `redis://host:6379`, or `postgres://user@host/database`. */
  readonly url: string;
  /** The version of poundlock with the hash of its code. */
  readonly version: string;
}

/**
 * A queue of jobs in Redis, Valkey or PostgreSQL. A job is named by its hash: adding it twice runs
 * it once, and its result is found again later.
 *
 * @example
 * import { Farm } from '@poundlock/farm';
 *
 * const url = process.env['FARM_URL'];
 * if (url !== undefined) {
 *   const farm = Farm.open({ url, version: '0.1.0' });
 *   console.log((await farm.status()).waiting);
 *   await farm.close();
 * }
 */
export class Farm {
  readonly #place: Place;
  readonly #queues = new Map<QueueName, Queue<string, string>>();

  private constructor(place: Place) {
    this.#place = place;
  }

  /**
   * Opens a farm. Connections are made when they are needed.
   *
   * @throws Error where the address is none of Redis or PostgreSQL.
   */
  static open(options: FarmOptions): Farm {
    if (!isFarmUrl(options.url))
      throw new Error('the address of a farm starts with redis:// or postgres://');
    return new Farm(options);
  }

  #queue(name: QueueName): Queue<string, string> {
    const queue = this.#queues.get(name) ?? openQueue(this.#place, name);
    this.#queues.set(name, queue);
    return queue;
  }

  /** Adds programs and jobs; those that are there already are not added again. */
  async add(programs: readonly FarmProgram[], jobs: readonly FarmJob[]): Promise<void> {
    for (const { sha256, body } of programs)
      await this.#queue('programs').add('program', body, { jobId: sha256 });
    for (const name of ['data', 'code'] as const) {
      const ofQueue = jobs.filter(({ isCode }) => isCode === (name === 'code'));
      if (ofQueue.length === 0) continue;
      const queue = this.#queue(name);
      await forgetFailed(queue, new Set(ofQueue.map(({ id }) => id)));
      for (let at = 0; at < ofQueue.length; at += BULK)
        await queue.addBulk(ofQueue.slice(at, at + BULK).map(entryOf));
    }
  }

  /** Calls back with what came of each job, once, until all are done or `isStopped` says so. */
  async collect(
    jobs: readonly FarmJob[],
    onResult: (result: FarmResult) => void,
    isStopped: () => boolean = () => false,
  ): Promise<void> {
    const names = (['data', 'code'] as const).filter((name) =>
      jobs.some(({ isCode }) => isCode === (name === 'code')),
    );
    await Promise.all(
      names.map((name) => {
        const ids = jobs.filter(({ isCode }) => isCode === (name === 'code')).map(({ id }) => id);
        return collect(this.#place, name, this.#queue(name), { ids, onResult, isStopped });
      }),
    );
  }

  /** The text of a program; `null` where it is not there. */
  async program(sha256: string): Promise<string | null> {
    const job = (await this.#queue('programs').getJob(sha256)) as Job<string> | undefined;
    return job?.data ?? null;
  }

  /** Takes jobs until the worker is closed. */
  work(run: RunJob, options: WorkOptions): FarmWorker {
    const program = (sha256: string) => this.program(sha256);
    return startWorker(this.#place, run, { ...options, program, workers: this.#queue('workers') });
  }

  /** How far the jobs are, who works, and what failed. */
  status(): Promise<FarmStatus> {
    return statusOf((name) => this.#queue(name));
  }

  /** Removes all jobs, programs and results of this version. */
  async clear(): Promise<void> {
    for (const name of QUEUES) await this.#queue(name).obliterate({ force: true });
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
    this.#queues.clear();
  }
}

function entryOf({ id, body, program, limitMs }: FarmJob) {
  return {
    name: 'job',
    data: JSON.stringify({ body, program, limitMs }),
    opts: {
      jobId: id,
      attempts: MAX_TRIES,
      backoff: { type: 'fixed' as const, delay: BACKOFF_MS },
    },
  };
}

/** A job that failed before and is added again is tried again. */
async function forgetFailed(queue: Queue<string, string>, ids: ReadonlySet<string>): Promise<void> {
  for (const job of await queue.getFailed(0, MAX_FAILED))
    if (job?.id !== undefined && ids.has(job.id)) await job.remove();
}
