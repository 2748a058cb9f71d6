// Ring: created once, transferred to worker threads, and watched for crashes.
import type { SharedMemory } from '../../core/src/base/index.ts';
import { Consumer } from './consumer.ts';
import { describeError } from './describe-error.ts';
import type { ItemCounts, RingPoisoned, RingSide } from './errors.ts';
import { EndpointWord, Header, ROLE_BYTES, RingLayout, type RingShape } from './layout.ts';
import { createRingMemory } from './memory.ts';
import { shapeOf, type RingOptions } from './options.ts';
import { nodeThreadId } from './platform.ts';
import { Producer } from './producer.ts';
import { requireRing, requireSchema, sign } from './recognize.ts';
import type { Schema } from './schema.ts';
import { SharedState, threadToken, type HeldStages } from './shared.ts';
import { writeText } from './text.ts';
import { bindToThread } from './thread-bound.ts';
import { enters } from './thread-end.ts';
import { connect, connected, watch, type WatchConnection } from './watchdog/index.ts';

/**
 * A ring for another thread: pass it in a message or as `workerData`, and attach it there by
 * {@link attachRing}.
 */
export interface TransferredRing<S extends Schema = Schema> {
  /**
   * The options of the ring.
   *
   * @internal
   */
  readonly shape: RingShape;
  /**
   * The memory, which is shared and not moved.
   *
   * @internal
   */
  readonly memory: SharedMemory;
  /**
   * The number that identifies the endpoints of that thread.
   *
   * @internal
   */
  readonly port: number;
  /**
   * How that thread connects to the watchdog.
   *
   * @internal
   */
  readonly watch: WatchConnection | null;
  /** The name of that thread's endpoints in errors. */
  readonly role: string | null;
  /** The fields of the payload, for the type alone. */
  readonly schema?: S;
}

/** What {@link Ring.supervise} observes: a worker of Node or of a browser. */
export interface SupervisedWorker {
  /** How Node's workers are observed. */
  on?: (event: 'error' | 'exit', listener: (value: unknown) => void) => unknown;
  /** How workers of a browser are observed. */
  addEventListener?: (event: 'error', listener: (event: unknown) => void) => void;
  /** The number of the thread, in Node. */
  readonly threadId?: number;
}

/**
 * A ring of stages between threads. Created by {@link createRing} and {@link attachRing}.
 *
 * @example
 * import { createRing, type Ring } from 'poundlock/ring';
 *
 * const stages = (ring: Ring): number => ring.stages;
 * console.log(stages(createRing({ stages: 8, bytes: 4096 }))); // 8
 */
export class Ring<S extends Schema = Schema> {
  /** The name in messages. */
  readonly name: string;
  /** The number of stages. */
  readonly stages: number;
  /** The size of a stage's payload in bytes. */
  readonly bytes: number;
  readonly #shared: SharedState;
  readonly #port: number;
  readonly #role: string | null;
  #watch: WatchConnection | null | undefined;

  /** @internal */
  constructor({ shape, memory, port, role }: TransferredRing<S>, watch?: WatchConnection | null) {
    this.name = shape.name;
    this.stages = shape.stages;
    this.bytes = shape.bytes;
    this.#shared = new SharedState(shape, memory);
    this.#port = port;
    this.#role = role;
    this.#watch = watch;
    bindToThread(this);
  }

  /**
   * A producer of the ring, for this thread; one that has closed can be replaced until all have.
   * `using producer = …` poisons the ring at the end of the block unless {@link Producer.end} was
   * called in it.
   *
   * @throws RingMisuse when all producers are taken, or all have closed.
   */
  producer(role = this.#role ?? 'producer'): Producer<S> {
    return new Producer<S>(this.#shared, this.#open('producer', role), role);
  }

  /**
   * A consumer of the ring, for this thread; one that has closed can be replaced. `using consumer
   * = …` closes it at the end of the block.
   *
   * @throws RingMisuse when all consumers are taken.
   */
  consumer(role = this.#role ?? 'consumer'): Consumer<S> {
    return new Consumer<S>(this.#shared, this.#open('consumer', role), role);
  }

  /**
   * Waits until the end of this thread would be noticed, and resolves to whether it would. Node
   * needs no wait. A browser passes on nothing of a thread that blocks: a worker that opens its
   * endpoint and blocks without this is noticed only once it has not blocked for a moment.
   */
  watched(): Promise<boolean> {
    return connected(this.#watch ?? null);
  }

  /**
   * The ring for another thread, which attaches it by {@link attachRing}. Its memory is shared,
   * not moved. `role` is the name of that thread's endpoints in errors. From then on the thread is
   * watched: if it dies with an endpoint open, every wait ends with the cause.
   */
  transfer(role: string | null = null): TransferredRing<S> {
    const { shape, memory, words } = this.#shared;
    if (this.#watch === undefined) this.#watch = watch({ shape, memory });
    const port = Atomics.add(words, Header.ports, 1) + 1;
    return { shape, memory, port, watch: this.#watch, role };
  }

  /**
   * Watches the worker that `transferred` was given to, beside the watchdog, which does so anyway:
   * this thread's event loop also knows how a worker ended, and of one that ended before it opened
   * an endpoint.
   */
  supervise(worker: SupervisedWorker, transferred: TransferredRing<S>): void {
    let error: unknown;
    // A worker that has ended has no number any more.
    const thread = worker.threadId ?? -1;
    const over = (cause: string): void => this.#workerEnded(transferred, thread, cause, error);
    if (worker.on !== undefined) {
      worker.on('error', (thrown) => void (error = thrown));
      worker.on('exit', (code) => over(`its thread ended with code ${String(code)}`));
    } else {
      worker.addEventListener?.('error', (event) => {
        const { message } = event as { message?: string };
        over(message ?? 'an error left its thread');
      });
    }
  }

  /** Ends every wait of every thread with a {@link RingPoisoned} that has this cause. */
  poison(cause: string, role = this.#role ?? 'owner'): void {
    this.#shared.poison({ role, side: 'producer', stages: [], line: null, cause });
  }

  /** Why the ring failed, or `null`. */
  get failure(): RingPoisoned | null {
    return this.#shared.failure();
  }

  /** How many items went through; exact while its threads are idle. */
  items(): ItemCounts {
    return this.#shared.items();
  }

  /** Which endpoints hold which stages now. */
  held(): HeldStages[] {
    return this.#shared.held();
  }

  /** A worker has ended: whatever it left open fails. */
  #workerEnded(
    { port, role }: TransferredRing,
    thread: number,
    ending: string,
    error: unknown,
  ): void {
    const shared = this.#shared;
    const { cause, line } =
      error instanceof Error ? describeError(error) : { cause: ending, line: null };
    const taken = shared.endpointsWith('port', port);
    const own = thread < 0 ? taken : shared.endpointsWith('thread', thread + 1);
    const isError = error !== undefined;
    for (const index of own) {
      // How it ended is no better cause for a scope that was left: then the thread was alive.
      if (isError || !shared.isScopeFailure(index)) shared.endpointDied(index, cause, line, true);
    }
    // A worker that ended before it opened an endpoint will never open it.
    const side = taken.length === 0 && own.length === 0 ? shared.unclaimedSide() : null;
    if (side === null || shared.shape.afterDeath === 'restart') return;
    shared.poison({ role: role ?? 'worker', side, stages: [], line, cause });
  }

  /** Takes a place for an endpoint of this thread, which is watched from then on. */
  #open(side: RingSide, role: string): number {
    const shared = this.#shared;
    const watched = connect(this.#watch ?? null);
    const index = shared.places.take(side);
    const { words, layout } = shared;
    const at = layout.endpoint(index);
    words[at + EndpointWord.port] = this.#port;
    words[at + EndpointWord.watched] = watched;
    words[at + EndpointWord.thread] = nodeThreadId + 1;
    words[at + EndpointWord.token] = threadToken;
    writeText(words, at + EndpointWord.role, ROLE_BYTES, role);
    shared.places.open(index);
    enters(shared, index);
    return index;
  }
}

/**
 * Creates a ring: stages in shared memory that producers fill and consumers read, in order and in
 * place, from any thread.
 *
 * @throws InputError for invalid options.
 *
 * @example
 * import { attachRing, createRing } from 'poundlock/ring';
 *
 * const ring = createRing({ schema: { id: 'i32', samples: ['f32', 256] } });
 * // In the thread that gets it as `workerData`:
 * const attached = attachRing(ring.transfer('reader'));
 * using producer = attached.producer();
 * const stage = producer.acquireSync();
 * stage.data.id = 7;
 * stage.data.samples.fill(1);
 * stage.release();
 * producer.end();
 * console.log(ring.items().produced); // 1
 */
export function createRing<const S extends Schema = {}>(options: RingOptions<S>): Ring<S> {
  const shape = shapeOf(options);
  const layout = new RingLayout(shape);
  const memory = createRingMemory(layout.bytes, shape.bytes);
  const words = new Int32Array(memory.buffer);
  layout.initialize(words);
  sign(words, shape);
  return new Ring<S>({ shape, memory, port: 0, watch: null, role: null });
}

/**
 * Attaches a ring that another thread transferred. `schema`, if given, must be that of the ring.
 *
 * @throws InputError for what is not a transferred ring, or one with another schema.
 *
 * @example
 * import { attachRing, createRing } from 'poundlock/ring';
 *
 * const transferred = createRing({ stages: 2, bytes: 64 }).transfer();
 * console.log(attachRing(transferred).stages); // 2
 */
export function attachRing<S extends Schema>(transferred: TransferredRing<S>, schema?: S): Ring<S> {
  requireRing(transferred);
  if (schema !== undefined) requireSchema(transferred.shape, schema);
  return new Ring(transferred, transferred.watch);
}
