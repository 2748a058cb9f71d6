// Threads that run jobs: each one at a time. A thread that dies or hangs is replaced.
import { Worker } from 'node:worker_threads';
import { moduleBeside } from '@poundlock/core/internal/base';
import type { Job, JobProgram } from './job.ts';
import type { ProgramSource } from './job-kernel.ts';
import type { ResultDocument } from './outcome.ts';

/** A job with its name and where its program is. */
export interface PooledJob {
  readonly hash: string;
  readonly job: Job;
  readonly source: ProgramSource;
  /** The program, for those that are sent it. */
  readonly program: JobProgram;
}

/** What a thread is sent. */
export interface Order extends Omit<PooledJob, 'program'> {
  readonly number: number;
}

/** What a thread sends: that it is alive, the result of a job, or why it has none. */
export type Answer =
  | { readonly beat: true }
  | { readonly number: number; readonly document: ResultDocument }
  | { readonly number: number; readonly crash: string };

/** How often a job is tried whose thread dies. */
export const MAX_TRIES = 3;
/** How long a job may run without a sign of life of its thread, unless it has a time-out. */
export const MAX_SILENT_MS = 60_000;
/** How much longer than its time-out a job may take before its thread is ended. */
const GRACE_MS = 2_000;
/** How often the threads are looked at. */
const LOOK_MS = 250;

interface Task {
  readonly pooled: PooledJob;
  readonly resolve: (document: ResultDocument) => void;
  readonly reject: (error: Error) => void;
  tries: number;
}

interface Thread {
  readonly worker: Worker;
  task: Task | null;
  number: number;
  startedAt: number;
  beatAt: number;
  /** Why it was ended, where this thread ended it. */
  ended: string | null;
}

/** Options of a pool. */
export interface PoolOptions {
  readonly threads: number;
  readonly now: () => number;
  readonly maxTries?: number;
  readonly maxSilentMs?: number;
}

/** A number of threads, and the jobs that wait for one. */
export class JobPool {
  readonly #options: Required<PoolOptions>;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  readonly #timer: NodeJS.Timeout;
  #numbers = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = { maxTries: MAX_TRIES, maxSilentMs: MAX_SILENT_MS, ...options };
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Jobs that run or wait. */
  get load(): number {
    const busy = [...this.#threads].filter(({ task }) => task !== null).length;
    return busy + this.#waiting.length;
  }

  /**
   * Runs a job on the next free thread.
   *
   * @throws Error where its thread died on every try.
   */
  run(pooled: PooledJob): Promise<ResultDocument> {
    const { promise, resolve, reject } = Promise.withResolvers<ResultDocument>();
    if (this.#isClosed) reject(new Error('the threads were ended'));
    else {
      this.#waiting.push({ pooled, resolve, reject, tries: 0 });
      this.#next();
    }
    return promise;
  }

  /** Ends all threads; jobs that run are given up. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const tasks = [...this.#waiting, ...[...this.#threads].flatMap(({ task }) => task ?? [])];
    this.#waiting.length = 0;
    for (const { reject } of tasks) reject(new Error('the threads were ended'));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #next(): void {
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const free = [...this.#threads].find(({ task, ended }) => task === null && ended === null);
      const thread = free ?? (this.#threads.size < this.#options.threads ? this.#start() : null);
      if (thread === null) return;
      this.#hand(thread, this.#waiting.shift()!);
    }
  }

  #hand(thread: Thread, task: Task): void {
    const now = this.#options.now();
    task.tries++;
    Object.assign(thread, { task, number: ++this.#numbers, startedAt: now, beatAt: now });
    thread.worker.ref();
    const { hash, job, source } = task.pooled;
    const { number } = thread;
    thread.worker.postMessage({ number, hash, job, source } satisfies Order);
  }

  #start(): Thread {
    const entry = moduleBeside('../job-thread', import.meta.url);
    // What a program prints is no part of a report.
    const worker = new Worker(entry, { stdout: true });
    worker.stdout.resume();
    const thread: Thread = { worker, task: null, number: 0, startedAt: 0, beatAt: 0, ended: null };
    this.#threads.add(thread);
    let why = 'the thread ended';
    worker.on('message', (answer: Answer) => this.#onAnswer(thread, answer));
    worker.on('error', (error) => void (why = crashOf(error)));
    worker.on('exit', (code) => this.#onExit(thread, thread.ended ?? `${why} (exit code ${code})`));
    return thread;
  }

  #onAnswer(thread: Thread, answer: Answer): void {
    thread.beatAt = this.#options.now();
    if ('beat' in answer || answer.number !== thread.number) return;
    const { task } = thread;
    thread.task = null;
    // A thread without work does not keep the process.
    thread.worker.unref();
    if ('document' in answer) task?.resolve(answer.document);
    else if (task !== null) this.#again(task, answer.crash);
    this.#next();
  }

  #onExit(thread: Thread, why: string): void {
    this.#threads.delete(thread);
    if (thread.task !== null && !this.#isClosed) this.#again(thread.task, why);
    this.#next();
  }

  #again(task: Task, why: string): void {
    const { maxTries } = this.#options;
    if (task.tries < maxTries) this.#waiting.unshift(task);
    else task.reject(new Error(maxTries === 1 ? why : `${why}, on each of ${maxTries} tries`));
  }

  /** Ends threads whose job hangs: the same job would hang again. */
  #look(): void {
    const now = this.#options.now();
    for (const thread of this.#threads) {
      const { task, ended } = thread;
      if (task === null || ended !== null) continue;
      const why = this.#whyEnd(thread, task, now);
      if (why === null) continue;
      thread.ended = why;
      thread.task = null;
      task.reject(new Error(why));
      void thread.worker.terminate();
    }
  }

  #whyEnd({ startedAt, beatAt }: Thread, { pooled }: Task, now: number): string | null {
    const { timeoutMs } = pooled.job.options as { readonly timeoutMs?: number };
    if (timeoutMs !== undefined) {
      const isLate = now - startedAt > timeoutMs + GRACE_MS;
      return isLate ? `the bound timeout of ${timeoutMs} ms was reached` : null;
    }
    const { maxSilentMs } = this.#options;
    if (now - beatAt <= maxSilentMs) return null;
    const late = `still running after ${maxSilentMs / 1000} s`;
    return `${late}: an infinite loop, or a loop without yield*?`;
  }
}

function crashOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'ran out of memory';
  return `the program ended its thread: ${message ?? String(error)}`;
}
