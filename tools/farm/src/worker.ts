// A worker: takes jobs, renews their locks while they run, and reports what it does.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import process from 'node:process';
import { UnrecoverableError, type Job, type Queue, type Worker } from 'bullmq';
import { FinalError, type FarmJob, type FarmTask } from './job.ts';
import { openWorker, type Place, type QueueName } from './queues.ts';
import type { WorkerReport } from './status.ts';

/** How long a worker may be silent before its jobs go to another. */
const LOCK_MS = 30_000;
/** How often a job may be lost with its worker: one more time, and it is what ends workers. */
const MAX_LOST = 10;
/** How often a worker reports. */
const REPORT_MS = 2_000;
/** Programs that a worker remembers. */
const MAX_PROGRAMS = 64;

/** Runs a job in another thread: this one has to renew its lock. Cuts it at its limit. */
export type RunJob = (task: FarmTask) => Promise<string>;

/** How a worker works. */
export interface WorkOptions {
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /**
   * Jobs that are fetched ahead, so that none waits for the server: they are handed to {@link
   * RunJob}, too, which has to queue them. None unless specified.
   */
  readonly prefetch?: number;
  /** Whether programs that are code are run. Without it, their queue is not even looked at. */
  readonly trustsPrograms: boolean;
  /** How long it may be silent; 30 seconds unless specified. */
  readonly lockMs?: number;
  /** Called after each job. */
  readonly onJob?: (id: string, failure: string | null) => void;
}

/** A worker that runs. */
export interface FarmWorker {
  /** The name that its reports have. */
  readonly id: string;
  /** Resolves once it takes jobs. */
  readonly ready: Promise<void>;
  /** Ends it after the jobs that run now. */
  readonly close: () => Promise<void>;
}

interface Parts {
  readonly program: (sha256: string) => Promise<string | null>;
  readonly workers: Queue<string, string>;
}

/** Starts a worker. */
export function startWorker(place: Place, run: RunJob, options: WorkOptions & Parts): FarmWorker {
  const { concurrency, trustsPrograms } = options;
  const { onJob, program, workers } = options;
  const started = Date.now();
  const id = randomUUID();
  const programs = new ProgramCache(program);
  let done = 0;
  let failed = 0;
  const processJob = async (job: Job<string, string>): Promise<string> => {
    const { body, program: sha256, limitMs } = JSON.parse(job.data) as Omit<FarmJob, 'id'>;
    const text = await programs.text(sha256);
    // The queue of data is no place for code, whatever was put there.
    if (!trustsPrograms && isCode(text))
      throw new UnrecoverableError(
        'refused: the program is code, and this worker was started without --trust-programs',
      );
    const limit = limitMs === undefined ? {} : { limitMs };
    try {
      return await run({ id: job.id ?? '', body, program: text, ...limit });
    } catch (error) {
      throw error instanceof FinalError ? new UnrecoverableError(error.message) : error;
    }
  };
  const names: QueueName[] = trustsPrograms ? ['data', 'code'] : ['data'];
  const takers = names.map((name) => {
    const worker: Worker<string, string> = openWorker(place, name, processJob, settingsOf(options));
    worker.on('completed', (job) => {
      done++;
      onJob?.(job.id ?? '', null);
    });
    worker.on('failed', (job, error) => {
      failed++;
      onJob?.(job?.id ?? '', error.message);
    });
    return worker;
  });
  const report = (): WorkerReport => ({
    id,
    host: hostname(),
    pid: process.pid,
    concurrency,
    trustsPrograms,
    startedAt: started,
    at: Date.now(),
    done,
    failed,
    memoryBytes: process.memoryUsage().rss,
  });
  const reporting = startReports(workers, id, report);
  return {
    id,
    ready: Promise.all(takers.map((worker) => worker.waitUntilReady())).then(() => undefined),
    close: async () => {
      await Promise.all(takers.map((worker) => worker.close()));
      await reporting.stop();
    },
  };
}

function settingsOf({ concurrency, prefetch = 0, lockMs = LOCK_MS }: WorkOptions) {
  return {
    concurrency: concurrency + prefetch,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MAX_LOST,
  };
}

/** The texts of programs that a worker remembers. */
class ProgramCache {
  readonly #load: Parts['program'];
  readonly #texts = new Map<string, Promise<string | null>>();

  constructor(load: Parts['program']) {
    this.#load = load;
  }

  async text(sha256: string): Promise<string> {
    const text = await this.#loaded(sha256);
    if (text !== null) return text;
    this.#texts.delete(sha256);
    throw new Error(`the text of the program ${sha256} is not there`);
  }

  #loaded(sha256: string): Promise<string | null> {
    const known = this.#texts.get(sha256);
    if (known !== undefined) return known;
    if (this.#texts.size >= MAX_PROGRAMS) this.#texts.clear();
    const text = this.#load(sha256);
    this.#texts.set(sha256, text);
    return text;
  }
}

/** Whether the text of a program says that it is code; what cannot be read is. */
function isCode(text: string): boolean {
  try {
    const { text: inner } = JSON.parse(text) as { readonly text?: { readonly kind?: unknown } };
    return inner?.kind !== 'ptx' && inner?.kind !== 'drawn';
  } catch {
    return true;
  }
}

/** Writes a report every so often, and removes it at the end. */
function startReports(workers: Queue<string, string>, id: string, report: () => WorkerReport) {
  const write = async (): Promise<void> => {
    try {
      const known = await workers.getJob(id);
      if (known === undefined) await workers.add('worker', JSON.stringify(report()), { jobId: id });
      else await known.updateData(JSON.stringify(report()));
    } catch {
      // The connection is lost: the next report is written when it is back.
    }
  };
  let last = write();
  const timer = setInterval(() => void (last = write()), REPORT_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await last;
      await (await workers.getJob(id))?.remove();
    },
  };
}
