// Ring: created once, transferred to worker threads, and supervised for crashes.
import {
  formatPosition,
  InputError,
  positionInStack,
  type SharedMemory,
} from '../../core/src/base/index.ts';
import { Consumer } from './consumer.ts';
import { RingMisuse, type ItemCounts, type RingPoisoned } from './errors.ts';
import { EndpointWord, Header, RingLayout, MAX_STAGES, OPEN, ROLE_BYTES } from './layout.ts';
import type { RingShape } from './layout.ts';
import { createSharedMemory } from './memory.ts';
import { POLICY_NAMES, type PolicyName } from './policy/index.ts';
import { Producer } from './producer.ts';
import { layOutSchema, type Schema } from './schema.ts';
import { SharedState, type HeldStages } from './shared.ts';
import { writeText } from './text.ts';

/** Options of {@link createRing}. */
export interface RingOptions<S extends Schema = Schema> {
  /** The number of stages: how many items can be in flight. */
  readonly stages: number;
  /** The size of a stage's payload in bytes; that of the schema unless specified. */
  readonly bytes?: number;
  /** Names and types of the payload's fields; see {@link RingStage.data}. */
  readonly schema?: S;
  /** The number of producers; 1 unless specified. They acquire stages in turn. */
  readonly producers?: number;
  /** The number of consumers; 1 unless specified. */
  readonly consumers?: number;
  /** Whether an item goes to one consumer (`shared`, the default) or to each of them. */
  readonly delivery?: 'shared' | 'broadcast';
  /** How to wait; `auto` unless specified. */
  readonly policy?: PolicyName;
  /**
   * Threads that work at the same time, over all rings of the program: `auto` and `spin` spin only
   * where each has a CPU. The producers and consumers of this ring unless specified.
   */
  readonly threads?: number;
  /**
   * The longest wait in milliseconds, unless an operation sets its own; 60,000 unless specified.
   */
  readonly timeoutMs?: number;
  /**
   * Whether to check every use of a handle and to record the line of every acquire, which is slow.
   */
  readonly debug?: boolean;
  /** The size of {@link RingEndpoint.scratch} in bytes; 0 unless specified. */
  readonly scratch?: number;
  /** The name in messages; `ring` unless specified. */
  readonly name?: string;
}

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
}

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ENDPOINTS = 1024;

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

  /** @internal */
  constructor({ shape, memory, port, role }: TransferredRing<S>) {
    this.name = shape.name;
    this.stages = shape.stages;
    this.bytes = shape.bytes;
    this.#shared = new SharedState(shape, memory);
    this.#port = port;
    this.#role = role;
  }

  /**
   * The next producer of the ring, for this thread. `using producer = …` closes it at the end of
   * the block.
   *
   * @throws RingMisuse when all producers are taken.
   */
  producer(role = this.#role ?? 'producer'): Producer<S> {
    const number = this.#claimEndpoint(
      Header.takenProducers,
      this.#shared.shape.producers,
      'producer',
    );
    this.#open(this.#shared.indexOf('producer', number), role);
    return new Producer<S>(this.#shared, number, role);
  }

  /**
   * The next consumer of the ring, for this thread. `using consumer = …` closes it at the end of
   * the block.
   *
   * @throws RingMisuse when all consumers are taken.
   */
  consumer(role = this.#role ?? 'consumer'): Consumer<S> {
    const number = this.#claimEndpoint(
      Header.takenConsumers,
      this.#shared.shape.consumers,
      'consumer',
    );
    this.#open(this.#shared.indexOf('consumer', number), role);
    return new Consumer<S>(this.#shared, number, role);
  }

  /**
   * The ring for another thread, which attaches it by {@link attachRing}. Its memory is shared,
   * not moved. `role` is the name of that thread's endpoints in errors.
   */
  transfer(role: string | null = null): TransferredRing<S> {
    const { shape, memory, words } = this.#shared;
    return { shape, memory, port: Atomics.add(words, Header.ports, 1) + 1, role };
  }

  /**
   * Watches the worker that `transferred` was given to: if it ends, however it does, and has not
   * closed its endpoints, or has never claimed one that is still expected, the ring is poisoned,
   * and every wait ends with the cause.
   */
  supervise(worker: SupervisedWorker, transferred: TransferredRing<S>): void {
    let error: unknown;
    const over = (cause: string): void => this.#workerEnded(transferred, cause, error);
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

  /** A worker has ended: poisons the ring unless the worker closed its endpoints. */
  #workerEnded({ port, role }: TransferredRing, cause: string, error: unknown): void {
    const shared = this.#shared;
    const taken = shared.claimedThrough(port);
    const index = taken.find((one) => shared.isOpen(one));
    const unclaimed = {
      role: role ?? 'worker',
      side: shared.unclaimedSide(),
      stages: [],
      line: null,
    };
    // A worker that ended before it claimed an endpoint will never claim it.
    const owner =
      taken.length === 0 ? unclaimed : index === undefined ? null : shared.heldBy(index);
    if (owner === null || owner.side === null) return;
    const thrown = error instanceof Error ? error : undefined;
    const position = positionInStack(thrown?.stack);
    this.#shared.poison({
      role: owner.role,
      side: owner.side,
      stages: owner.stages,
      line: position === undefined ? owner.line : formatPosition(position),
      cause: thrown === undefined ? cause : `${thrown.name}: ${thrown.message}`,
    });
  }

  #claimEndpoint(taken: number, most: number, side: string): number {
    const number = Atomics.add(this.#shared.words, taken, 1);
    if (number < most) return number;
    Atomics.sub(this.#shared.words, taken, 1);
    throw new RingMisuse(
      null,
      `ring ${this.name} has ${most} ${side}${most === 1 ? '' : 's'}, and all are in use`,
    );
  }

  #open(index: number, role: string): void {
    const { words, layout } = this.#shared;
    const at = layout.endpoint(index);
    words[at + EndpointWord.port] = this.#port;
    writeText(words, at + EndpointWord.role, ROLE_BYTES, role);
    Atomics.store(words, at + EndpointWord.state, OPEN);
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
 * const ring = createRing({ stages: 8, schema: { id: 'i32', samples: ['f32', 256] } });
 * // In the thread that gets it as `workerData`:
 * const attached = attachRing(ring.transfer('reader'));
 * using producer = attached.producer();
 * const stage = producer.acquireSync();
 * stage.data.id = 7;
 * stage.data.samples.fill(1);
 * stage.release();
 * console.log(ring.items().produced); // 1
 */
export function createRing<const S extends Schema = {}>(options: RingOptions<S>): Ring<S> {
  const shape = shapeOf(options);
  const memory = createSharedMemory(new RingLayout(shape).bytes);
  new RingLayout(shape).initialize(new Int32Array(memory.buffer));
  return new Ring<S>({ shape, memory, port: 0, role: null });
}

/**
 * Attaches a ring that another thread transferred.
 *
 * @example
 * import { attachRing, createRing } from 'poundlock/ring';
 *
 * const transferred = createRing({ stages: 2, bytes: 64 }).transfer();
 * console.log(attachRing(transferred).stages); // 2
 */
export function attachRing<S extends Schema>(transferred: TransferredRing<S>): Ring<S> {
  return new Ring(transferred);
}

function shapeOf(options: RingOptions): RingShape {
  const { name = 'ring', stages, producers = 1, consumers = 1, delivery = 'shared' } = options;
  const { policy = 'auto', timeoutMs = DEFAULT_TIMEOUT_MS, debug = false, scratch = 0 } = options;
  const payload = layOutSchema(options.schema ?? {});
  const { bytes = payload.bytes, threads = producers + consumers } = options;
  requireWhole(`the stages of ring ${name}`, stages, 1, MAX_STAGES);
  requireWhole(`the bytes of ring ${name}`, bytes, payload.bytes);
  requireWhole(`the producers of ring ${name}`, producers, 1, MAX_ENDPOINTS);
  requireWhole(`the consumers of ring ${name}`, consumers, 1, MAX_ENDPOINTS);
  requireWhole(`the threads of ring ${name}`, threads, 1);
  requireWhole(`the scratch of ring ${name}`, scratch, 0);
  requireOneOf(`the delivery of ring ${name}`, delivery, ['shared', 'broadcast']);
  requireOneOf(`the policy of ring ${name}`, policy, POLICY_NAMES);
  if (!(timeoutMs >= 0))
    throw new InputError(`the timeout of ring ${name} must be at least 0, not ${timeoutMs}`);
  const shape = { name, stages, bytes, producers, consumers, delivery, policy, threads };
  return { ...shape, timeoutMs, debug, payload, scratch };
}

function requireWhole(what: string, value: number, least: number, most = 2 ** 32): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(`${what} must be a whole number from ${least} to ${most}, not ${value}`);
}

function requireOneOf(what: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  throw new InputError(`${what} must be ${allowed.join(' or ')}, not ${value}`);
}
