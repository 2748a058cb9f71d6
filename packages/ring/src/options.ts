// The options of a ring, and what is made of them.
import { InputError, option, optionTable, requireOptions } from '../../core/src/base/index.ts';
import type { OptionsOf } from '../../core/src/base/index.ts';
import { MAX_STAGES, type RingShape } from './layout.ts';
import { POLICY_NAMES } from './policy/index.ts';
import { layOutSchema, type Schema } from './schema.ts';
import { requireTimeLimit } from './time-limit.ts';

const DELIVERIES = ['shared', 'broadcast'] as const;
const AFTER_DEATH = ['poison', 'restart'] as const;

/** A number whose range is checked where it is used. */
const number = option.checkedLater<number>();

const RING = optionTable({
  /**
   * The number of stages: how many items can be in flight. 64 below 4 KiB unless specified, else 8:
   * where threads have to share a CPU, they switch once for each ring of small items.
   */
  stages: number,
  /** The size of a stage's payload in bytes; that of the schema unless specified. */
  bytes: number,
  /** Names and types of the payload's fields; see {@link RingStage.data}. */
  schema: option.checkedLater<Schema>(),
  /** The number of producers; 1 unless specified. They acquire stages in turn. */
  producers: number,
  /** The number of consumers; 1 unless specified. */
  consumers: number,
  /** Whether an item goes to one consumer (`shared`, the default) or to each of them. */
  delivery: option.oneOf(...DELIVERIES),
  /** How to wait; `auto` unless specified. */
  policy: option.oneOf(...POLICY_NAMES),
  /**
   * Threads that work at the same time, over all rings of the program: `auto` and `spin` spin only
   * where each has a CPU. The producers and consumers of this ring unless specified.
   */
  threads: number,
  /**
   * The longest wait in milliseconds, unless an operation sets its own; 60,000 unless specified.
   */
  timeoutMs: number,
  /**
   * Whether to record the lines of every acquire and release, and to report lost handles: slow.
   */
  debug: option.flag,
  /** The size of {@link RingEndpoint.scratch} in bytes; 0 unless specified. */
  scratch: number,
  /**
   * What the death of a thread with an open endpoint means. `poison`, the default, ends every wait
   * with the cause. `restart`: the others go on, and the next endpoint of that side that a thread
   * opens takes the place of the dead one, and first the stages that it held: a consumer gets them
   * again, so that an item may come twice.
   */
  afterDeath: option.oneOf(...AFTER_DEATH),
  /** The name in messages; `ring` unless specified. */
  name: option.text,
});

/** Options of {@link createRing}. */
export interface RingOptions<S extends Schema = Schema> extends Omit<AllOptions, 'schema'> {
  /** Names and types of the payload's fields; see {@link RingStage.data}. */
  readonly schema?: S;
}

type AllOptions = OptionsOf<typeof RING>;

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ENDPOINTS = 1024;
const SMALL_BYTES = 4096;

/** The stages of a ring whose items have so many bytes. */
export function defaultStages(bytes: number): number {
  return bytes < SMALL_BYTES ? 64 : 8;
}

/** The shape of a ring with these options. */
export function shapeOf(options: RingOptions): RingShape {
  requireOptions('a ring', RING, options);
  const { name = 'ring', producers = 1, consumers = 1, delivery = 'shared' } = options;
  const { policy = 'auto', timeoutMs = DEFAULT_TIMEOUT_MS, debug = false, scratch = 0 } = options;
  const { afterDeath = 'poison' } = options;
  const payload = layOutSchema(options.schema ?? {});
  const { bytes = payload.bytes, threads = producers + consumers } = options;
  const { stages = defaultStages(bytes) } = options;
  requireWhole(`the stages of ring ${name}`, stages, 1, MAX_STAGES);
  requireWhole(`the bytes of ring ${name}`, bytes, payload.bytes);
  requireWhole(`the producers of ring ${name}`, producers, 1, MAX_ENDPOINTS);
  requireWhole(`the consumers of ring ${name}`, consumers, 1, MAX_ENDPOINTS);
  requireWhole(`the threads of ring ${name}`, threads, 1);
  requireWhole(`the scratch of ring ${name}`, scratch, 0);
  requireTimeLimit(`the timeoutMs of ring ${name}`, timeoutMs);
  if (afterDeath === 'restart' && delivery === 'broadcast') {
    throw new InputError(`ring ${name} cannot restart a role with the delivery broadcast`);
  }
  const shape = { name, stages, bytes, producers, consumers, delivery, policy, threads };
  return { ...shape, timeoutMs, debug, payload, scratch, afterDeath };
}

function requireWhole(what: string, value: number, least: number, most = 2 ** 32): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new InputError(`${what} must be a whole number from ${least} to ${most}, not ${value}`);
}
