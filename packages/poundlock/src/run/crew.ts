// A pool of threads that run roles: reused between runs, replaced when one has died.
import { Worker } from 'node:worker_threads';
import { InputError, moduleBeside, type SharedMemory } from '@poundlock/core/internal/base';
import { createSharedMemory, bulkMemoryOf } from '@poundlock/ring/internal';
import type { Job, Message } from './job.ts';

/** Callbacks for the events of a thread. */
export interface Listener {
  readonly onMessage: (message: Message) => void;
  /** The thread has ended before its role did. */
  readonly onDeath: (cause: string) => void;
}

/** One thread of a crew. */
export class Member {
  readonly #worker: Worker;
  #listener: Listener | null = null;
  #error: unknown;
  isDead = false;

  constructor() {
    this.#worker = new Worker(moduleBeside('./role-thread', import.meta.url));
    this.#worker.on('message', (message: Message) => this.#listener?.onMessage(message));
    this.#worker.on('error', (error) => void (this.#error = error));
    this.#worker.on('exit', (code) => {
      this.isDead = true;
      const error = this.#error;
      const cause = error instanceof Error ? `${error.name}: ${error.message}` : null;
      this.#listener?.onDeath(cause ?? `its thread ended with code ${code}`);
    });
    this.#worker.unref();
  }

  start(job: Job, listener: Listener): void {
    this.#listener = listener;
    this.#worker.ref();
    this.#worker.postMessage(job);
  }

  /** The role is done: the thread may run another one, and does not keep the process alive. */
  finish(): void {
    this.#listener = null;
    this.#worker.unref();
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The largest memory that is cleared and reused: pages of a new one cost nothing until used. */
const MAX_CLEARED_BYTES = 1 << 26;

/**
 * Threads that several runs use, one run after another. `await using crew = new Crew()` ends them.
 *
 * @example
 * import { isMainThread } from 'node:worker_threads';
 * import { compute, kernel, role } from 'poundlock';
 * import { Crew, run } from 'poundlock/run';
 *
 * const work = kernel('work', {}, () => [
 *   role('work', function* () {
 *     yield* compute(100);
 *   }),
 * ]);
 * export default work;
 *
 * if (isMainThread) {
 *   await using crew = new Crew();
 *   for (let round = 0; round < 10; round++) await run(work, {}, { crew });
 * }
 */
export class Crew implements AsyncDisposable {
  #isBusy = false;
  #members: Member[] = [];
  #memory: SharedMemory | null = null;
  /**
   * The number of memories created so far.
   *
   * @internal
   */
  memoryNumber = 0;

  /**
   * A memory whose first `bytes` bytes are zero: that of the previous run if it is large enough,
   * because the threads have compiled code for it.
   *
   * @internal
   */
  memory(bytes: number): SharedMemory {
    const last = this.#memory;
    if (last !== null && bytes <= last.buffer.byteLength && bytes <= MAX_CLEARED_BYTES) {
      bulkMemoryOf(last).fill(0, 0, bytes);
      return last;
    }
    this.memoryNumber++;
    return (this.#memory = createSharedMemory(bytes));
  }

  /**
   * Begins a run and returns a function that ends it.
   *
   * @throws InputError during another run: both would use one memory.
   * @internal
   */
  begin(): () => void {
    if (this.#isBusy)
      throw new InputError('a crew runs one kernel at a time: await the previous run');
    this.#isBusy = true;
    return () => void (this.#isBusy = false);
  }

  /**
   * Returns `count` living threads.
   *
   * @internal
   */
  members(count: number): readonly Member[] {
    this.#members = this.#members.filter((member) => !member.isDead);
    while (this.#members.length < count) this.#members.push(new Member());
    return this.#members.slice(0, count);
  }

  /** Terminates the threads. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((member) => member.terminate()));
    this.#members = [];
  }
}
