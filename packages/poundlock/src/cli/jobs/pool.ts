// Threads that run jobs: each one at a time. A thread that dies or hangs is replaced.
import { Worker } from 'node:worker_threads';
import { counted, grouped, moduleBeside } from '@poundlock/core/internal/base';
import type { CheckProgress } from '../../check/index.ts';
import type { Job, JobProgram } from './job.ts';
import type { ProgramSource } from './job-kernel.ts';
import { SentPrograms } from './sent-programs.ts';

/** A job with its name and where its program is. */
export interface PooledJob {
  readonly hash: string;
  readonly job: Job;
  readonly source: ProgramSource;
  /** The program, for those that are sent it. */
  readonly program: JobProgram;
  /** How long it may run on its thread: no part of its hash, since it changes no result. */
  readonly limitMs?: number;
}

/** What a thread is sent; a program that travels as text is sent once. */
export interface Order extends Omit<PooledJob, 'program' | 'source' | 'limitMs'> {
  readonly number: number;
  readonly source: ProgramSource | { readonly sent: string };
}

/** What a thread sends: that it is alive, the result of a job as text, or why it has none. */
export type Answer =
  | { readonly beat: true; readonly progress: CheckProgress | null }
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly crash: string };

/** How often a job is tried whose thread dies. */
export const MAX_TRIES = 3;
/** The processor time that a thread may use without a sign of life; not with a time-out. */
export const MAX_SILENT_MS = 60_000;
/** How long a thread may be silent that waits without using the processor. */
const MAX_BLOCKED_MS = 1_800_000;
/** How much longer than its time-out a job may take before its thread is ended. */
const GRACE_MS = 2_000;
/** How often the threads are looked at. */
const LOOK_MS = 250;
/** A thread that was silent for so long is looked at more closely. */
const MIN_SILENT_MS = 1_500;

interface Task {
  readonly pooled: PooledJob;
  readonly resolve: (document: string) => void;
  readonly reject: (error: Error) => void;
  tries: number;
}

interface Thread {
  readonly worker: Worker;
  task: Task | null;
  /** The programs that it was sent as text. */
  readonly sent: SentPrograms;
  number: number;
  startedAt: number;
  beatAt: number;
  /** How far the search of its job is. */
  progress: CheckProgress | null;
  /** Its processor time when it was first seen to be silent; `null` while it is not. */
  usedMs: number | null;
  /** Why it was ended, where this thread ended it. */
  ended: string | null;
}

/** Options of a pool. */
export interface PoolOptions {
  readonly threads: number;
  readonly now: () => number;
  readonly maxTries?: number;
  readonly maxSilentMs?: number;
  readonly maxBlockedMs?: number;
}

const DEFAULTS = {
  maxTries: MAX_TRIES,
  maxSilentMs: MAX_SILENT_MS,
  maxBlockedMs: MAX_BLOCKED_MS,
} as const;

/** A job that was ended, because it hangs or has had its time: it would be again. */
export class JobEndedError extends Error {}

/** A number of threads, and the jobs that wait for one. */
export class JobPool {
  readonly #options: Required<PoolOptions>;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  readonly #timer: NodeJS.Timeout;
  #numbers = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = { ...DEFAULTS, ...options };
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** Jobs that run or wait. */
  get load(): number {
    const busy = [...this.#threads].filter(({ task }) => task !== null).length;
    return busy + this.#waiting.length;
  }

  /**
   * Runs a job on the next free thread; its document as text.
   *
   * @throws Error where its thread died on every try.
   */
  run(pooled: PooledJob): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
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
    const number = ++this.#numbers;
    const fresh = { startedAt: now, beatAt: now, usedMs: null, progress: null };
    Object.assign(thread, { task, number, ...fresh });
    thread.worker.ref();
    const { hash, job, source: from } = task.pooled;
    const isSent = 'program' in from && !thread.sent.add(from.program.sha256);
    const source = isSent ? { sent: from.program.sha256 } : from;
    thread.worker.postMessage({ number, hash, job, source } satisfies Order);
  }

  #start(): Thread {
    const entry = moduleBeside('../job-thread', import.meta.url);
    // What a program prints is no part of a report.
    const worker = new Worker(entry, { stdout: true });
    worker.stdout.resume();
    const sent = new SentPrograms();
    const times = { startedAt: 0, beatAt: 0, usedMs: null, progress: null };
    const thread: Thread = { worker, sent, task: null, number: 0, ...times, ended: null };
    this.#threads.add(thread);
    let why = 'the thread ended';
    worker.on('message', (answer: Answer) => this.#onAnswer(thread, answer));
    worker.on('error', (error) => void (why = crashOf(error)));
    worker.on('exit', (code) => this.#onExit(thread, thread.ended ?? `${why} (exit code ${code})`));
    return thread;
  }

  #onAnswer(thread: Thread, answer: Answer): void {
    thread.beatAt = this.#options.now();
    thread.usedMs = null;
    if ('beat' in answer) thread.progress = answer.progress;
    if ('beat' in answer || answer.number !== thread.number) return;
    const { task } = thread;
    thread.task = null;
    // A thread without work does not keep the process.
    thread.worker.unref();
    if ('text' in answer) task?.resolve(answer.text);
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

  /** Ends threads whose job hangs, or has had its time: the same job would do so again. */
  #look(): void {
    const now = this.#options.now();
    for (const thread of this.#threads) {
      const { task, ended } = thread;
      if (task === null || ended !== null) continue;
      const late = lateness(thread, task.pooled, now);
      if (late !== null) this.#end(thread, late);
      else if (now - thread.beatAt > MIN_SILENT_MS) void this.#lookAtSilent(thread, thread.number);
    }
  }

  #end(thread: Thread, why: string): void {
    const { task } = thread;
    thread.ended = why;
    thread.task = null;
    task?.reject(new JobEndedError(why));
    void thread.worker.terminate();
  }

  /** On a busy machine, a thread that is silent for long may hardly have run. */
  async #lookAtSilent(thread: Thread, number: number): Promise<void> {
    const { now, maxSilentMs, maxBlockedMs } = this.#options;
    const usedMs = await usedBy(thread.worker);
    const silentMs = now() - thread.beatAt;
    const { task, ended } = thread;
    // Its job may be over by now, or it may have given a sign of life.
    if (task === null || ended !== null || thread.number !== number) return;
    if (silentMs <= MIN_SILENT_MS || timeoutOf(task.pooled) !== undefined) return;
    thread.usedMs ??= usedMs;
    const ranMs = usedMs === null ? silentMs : usedMs - (thread.usedMs ?? 0);
    if (ranMs <= maxSilentMs && silentMs <= maxBlockedMs) return;
    const late = `still running after ${maxSilentMs / 1000} s`;
    this.#end(thread, `${late}: an infinite loop, or a loop without yield*?`);
  }
}

function timeoutOf({ job }: Pick<PooledJob, 'job'>): number | undefined {
  return (job.options as { readonly timeoutMs?: number }).timeoutMs;
}

/** Why the time of a job is up, or `null`. */
export function lateness(
  { startedAt, progress }: Pick<Thread, 'startedAt' | 'progress'>,
  pooled: Pick<PooledJob, 'job' | 'limitMs'>,
  now: number,
): string | null {
  const timeoutMs = timeoutOf(pooled);
  const { limitMs } = pooled;
  const ran = now - startedAt;
  if (timeoutMs !== undefined && ran > timeoutMs + GRACE_MS)
    return `the bound timeout of ${timeoutMs} ms was reached${afterWork(progress)}`;
  if (limitMs === undefined || ran <= limitMs) return null;
  const limit = `the bound job-limit of ${limitMs / 1000} s was reached${afterWork(progress)}`;
  return `${limit}: raise it with --job-limit`;
}

/** ` after 1,234 states to depth 40, 56 open`; nothing where no search has begun. */
function afterWork(progress: CheckProgress | null): string {
  if (progress === null) return '';
  const { states, depth, frontier } = progress;
  const searched = `${counted(states, 'state')} to depth ${grouped(depth)}`;
  return ` after ${searched}, ${grouped(frontier)} open`;
}

/** The processor time of a thread; `null` on a Node before 24.6. */
async function usedBy(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return null;
  }
}

function crashOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'ran out of memory';
  return `the program ended its thread: ${message ?? String(error)}`;
}
