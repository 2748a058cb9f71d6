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

export interface RingOptions<S extends Schema = Schema> {
  /** How many items can be under way. */
  readonly stages: number;
  /** Payload bytes of a stage; those of the schema unless given. */
  readonly bytes?: number;
  /** Names and types of the payload's fields; see {@link Tile.data}. */
  readonly schema?: S;
  /** How many producers there will be; 1 unless given. They take stages in turn. */
  readonly producers?: number;
  /** How many consumers there will be; 1 unless given. */
  readonly consumers?: number;
  /** Whether an item goes to one consumer (`shared`, unless given) or to each of them. */
  readonly delivery?: 'shared' | 'broadcast';
  /** How to wait: `auto` unless given. */
  readonly policy?: PolicyName;
  /**
   * Threads that work at one time, over all rings of the program: `auto` and `spin` spin only where
   * each has a CPU. Producers and consumers of this ring unless given.
   */
  readonly threads?: number;
  /** How long a wait may take unless it says otherwise; 60 s unless given. */
  readonly timeoutMs?: number;
  /** Checks every use of a handle and knows the line of every acquire; slow. */
  readonly debug?: boolean;
  /** Bytes of {@link Endpoint.scratch}; 0 unless given. */
  readonly scratch?: number;
  /** For messages; `ring` unless given. */
  readonly name?: string;
}

/** A ring on its way to another thread: pass it in a message or as `workerData`. */
export interface TransferredRing<S extends Schema = Schema> {
  readonly shape: RingShape;
  readonly memory: SharedMemory;
  /** Through which the endpoints of one thread are known. */
  readonly port: number;
  readonly role: string | null;
  /** Only for the types: the fields of the payload. */
  readonly schema?: S;
}

/** What {@link Ring.supervise} listens to: a Node worker, or one of a browser. */
export interface SupervisedWorker {
  on?: (event: 'error' | 'exit', listener: (value: unknown) => void) => unknown;
  addEventListener?: (event: 'error', listener: (event: unknown) => void) => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ENDPOINTS = 1024;

/** A ring of stages between threads. Made by {@link createRing} and {@link attachRing}. */
export class Ring<S extends Schema = Schema> {
  readonly name: string;
  readonly stages: number;
  /** Payload bytes of a stage. */
  readonly bytes: number;
  readonly #shared: SharedState;
  readonly #port: number;
  readonly #role: string | null;

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

  /** As {@link producer}, for the consuming side. */
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
   * The ring for another thread, where {@link attachRing} makes a ring of it. Its memory is shared,
   * not moved. `role` names that thread's endpoints in errors.
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

  /** Ends every wait of every thread with an error that has this cause. */
  poison(cause: string, role = this.#role ?? 'owner'): void {
    this.#shared.poison({ role, side: 'producer', stages: [], line: null, cause });
  }

  /** Why the ring failed, or `null`. */
  get failure(): RingPoisoned | null {
    return this.#shared.failure();
  }

  /** How many items went through; exact while its threads are still. */
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
 * Makes a ring: stages in shared memory that producers fill and consumers read, in order, in place,
 * from any thread.
 *
 * @throws InputError for options that make no ring.
 * @example
 * const ring = createRing({ stages: 8, bytes: 4096 });
 * const worker = new Worker(url, { workerData: ring.transfer('reader') });
 */
export function createRing<const S extends Schema = {}>(options: RingOptions<S>): Ring<S> {
  const shape = shapeOf(options);
  const memory = createSharedMemory(new RingLayout(shape).bytes);
  new RingLayout(shape).initialize(new Int32Array(memory.buffer));
  return new Ring<S>({ shape, memory, port: 0, role: null });
}

/** The ring that another thread transferred. */
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
