// The worker threads of a pipe: started, observed, and gone when it ends.
import { moduleBeside } from '../../../core/src/base/index.ts';
import { builtinModule, type NodeWorker } from '../platform.ts';
import type { StageJob, StageReport } from './messages.ts';

/** How long a thread may take to end by itself, after the pipe has failed. */
const GRACE_MS = 1000;

interface WebEvent {
  readonly data: StageReport;
  readonly message?: string;
  readonly error?: unknown;
}

interface WebWorker {
  readonly addEventListener: (type: string, listener: (event: WebEvent) => void) => void;
  readonly postMessage: (message: StageJob) => void;
  readonly terminate: () => void;
}

type StartWebWorker = new (url: URL, options: object) => WebWorker;

/** Called when a thread fails; `number` is that among the threads of its stage. */
type OnFailure = (stage: string, number: number, error: unknown) => void;

class StageThread {
  readonly #terminate: () => unknown;
  /** Its work has ended, whether well or not. */
  readonly ended: Promise<void>;
  readonly #exited: Promise<void>;

  constructor(job: StageJob, failed: (error: unknown) => void) {
    let ended = (): void => {};
    let exited = (): void => {};
    this.ended = new Promise<void>((resolve) => void (ended = resolve));
    this.#exited = new Promise<void>((resolve) => void (exited = resolve));
    let isOver = false;
    const over = (error?: unknown): void => {
      if (!isOver && error !== undefined) failed(error);
      isOver = true;
      ended();
    };
    const received = (report: StageReport): void => {
      over(report.type === 'failed' ? named(report.error, report.name) : undefined);
    };
    const name = `${job.pipe} ${job.stage}`;
    const threads = builtinModule('node:worker_threads');
    if (threads === undefined) {
      const { Worker } = globalThis as unknown as { Worker: StartWebWorker };
      const worker = new Worker(threadUrl(), { type: 'module', name });
      worker.addEventListener('message', ({ data }) => received(data));
      worker.addEventListener('error', ({ error, message }) => {
        over(error ?? new Error(message ?? 'its module cannot be loaded'));
      });
      worker.postMessage(job);
      // A terminated worker reports nothing.
      this.#terminate = () => {
        worker.terminate();
        exited();
      };
      return;
    }
    const worker: NodeWorker = new threads.Worker(threadUrl(), { workerData: job, name });
    worker.on('message', received);
    worker.on('error', (error: unknown) => over(error ?? new Error('its thread failed')));
    worker.on('exit', (code: unknown) => {
      over(new Error(`its thread ended with code ${String(code)}`));
      exited();
    });
    this.#terminate = () => worker.terminate();
  }

  /** Ends the thread, which may take so long to end by itself, and waits until it is gone. */
  async stop(graceMs: number): Promise<void> {
    await withinMs(this.ended, graceMs);
    void this.#terminate();
    await this.#exited;
  }
}

function threadUrl(): URL {
  return moduleBeside('./thread', import.meta.url);
}

/** A clone of an error has the name of a class of the language. */
function named(error: unknown, name: string): unknown {
  if (error instanceof Error && error.name !== name) error.name = name;
  return error;
}

/** Waits for a promise, but no longer than that. */
export async function withinMs(promise: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, timeoutMs)));
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class Crew {
  readonly #failed: OnFailure;
  readonly #threads: StageThread[] = [];

  constructor(failed: OnFailure) {
    this.#failed = failed;
  }

  /** Starts thread `number` of a stage. */
  start(job: StageJob, number: number): void {
    const failed = (error: unknown): void => this.#failed(job.stage, number, error);
    this.#threads.push(new StageThread(job, failed));
  }

  /** Waits until the work of all threads has ended. */
  async ended(): Promise<void> {
    await Promise.all(this.#threads.map(({ ended }) => ended));
  }

  /** Waits until all threads are gone; those that do not end by themselves are terminated. */
  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.stop(GRACE_MS)));
  }
}
