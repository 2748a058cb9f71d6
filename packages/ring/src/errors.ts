// What a ring throws: every wait ends with a tile, the end of the stream, or one of these.

/** The side of a ring at which an endpoint works. */
export type RingSide = 'producer' | 'consumer';

/** How many items went through a ring. */
export interface ItemCounts {
  /** Items that producers released. */
  readonly produced: number;
  /** Items that consumers released; with broadcast, those of the slowest consumer. */
  readonly consumed: number;
  /** Items that producers released and consumers did not. */
  readonly inFlight: number;
  /** Stages that producers were filling: they were not passed on. */
  readonly unfinished: number;
}

/** Why a ring failed: which endpoint, where, and what it held. */
export interface RingFailure {
  /** The name of the endpoint. */
  readonly role: string;
  /** Its side. */
  readonly side: RingSide;
  /** The stages that it held. */
  readonly stages: readonly number[];
  /** `file:line:column` where it was, or `null`. */
  readonly line: string | null;
  /** The error message, or how the thread ended. */
  readonly cause: string;
}

/** The most stages that a message lists. */
const MAX_LISTED = 16;

function listOf(stages: readonly number[]): string {
  const more = stages.length - MAX_LISTED;
  const listed = stages.slice(0, MAX_LISTED).join(', ');
  return more > 0 ? `${listed} and ${more} more` : listed;
}

/**
 * Thrown by every waiting endpoint of a ring after another endpoint failed.
 *
 * @example
 * import { createRing, RingPoisoned } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 2, bytes: 64 });
 * const consumer = ring.consumer();
 * ring.poison('the file ended early', 'reader');
 * try {
 *   consumer.acquireSync();
 * } catch (error) {
 *   console.log(error instanceof RingPoisoned && error.role); // reader
 * }
 */
export class RingPoisoned extends Error implements RingFailure {
  /** The name of the class. */
  override readonly name = 'RingPoisoned';
  /** The name of the ring. */
  readonly ring: string;
  /** The name of the endpoint that failed. */
  readonly role: string;
  /** Its side. */
  readonly side: RingSide;
  /** The stages that it held. */
  readonly stages: readonly number[];
  /** `file:line:column` where it was, or `null`. */
  readonly line: string | null;
  /** The error message, or how the thread ended. */
  override readonly cause: string;
  /** How many items went through the ring before. */
  readonly items: ItemCounts;

  /** @internal */
  constructor(ring: string, failure: RingFailure, items: ItemCounts) {
    const { role, side, stages, line, cause } = failure;
    const held =
      stages.length === 0
        ? ''
        : ` while it held stage${stages.length > 1 ? 's' : ''} ${listOf(stages)}`;
    const where = line === null ? '' : ` at ${line}`;
    super(
      `ring ${ring}: ${side} ${role} failed${held}${where}: ${cause}; ` +
        `${items.produced} items produced, ${items.consumed} consumed, ` +
        `${items.inFlight} in flight, ${items.unfinished} unfinished`,
    );
    this.ring = ring;
    this.role = role;
    this.side = side;
    this.stages = stages;
    this.line = line;
    this.cause = cause;
    this.items = items;
  }
}

/**
 * Thrown when a wait took longer than its limit. The ring still works.
 *
 * @example
 * import { createRing, RingTimeout } from 'poundlock/ring';
 *
 * const consumer = createRing({ stages: 2, bytes: 64 }).consumer();
 * try {
 *   consumer.acquireSync({ timeoutMs: 1 });
 * } catch (error) {
 *   console.log(error instanceof RingTimeout); // true
 * }
 */
export class RingTimeout extends Error {
  /** The name of the class. */
  override readonly name = 'RingTimeout';
  /** @internal */
  constructor(endpoint: string, target: string, timeoutMs: number) {
    super(`${endpoint} waited ${timeoutMs} ms for ${target}`);
  }
}

/**
 * Thrown when a producer acquires a stage after every consumer has closed.
 *
 * @example
 * import { createRing, RingClosed } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 1, bytes: 64 });
 * const producer = ring.producer();
 * ring.consumer().close();
 * producer.acquireSync().release();
 * try {
 *   producer.acquireSync();
 * } catch (error) {
 *   console.log(error instanceof RingClosed); // true
 * }
 */
export class RingClosed extends Error {
  /** The name of the class. */
  override readonly name = 'RingClosed';
}

/** The rules of `poundlock explain` that a ring enforces. */
export type RingMisuseRule = 'double-release' | 'leaked-stage' | 'use-after-release';

/**
 * Thrown when a handle or an endpoint is used in a way that is a bug of the caller.
 *
 * @example
 * import { createRing, RingMisuse } from 'poundlock/ring';
 *
 * const stage = createRing({ stages: 2, bytes: 64 }).producer().acquireSync();
 * stage.release();
 * try {
 *   stage.release();
 * } catch (error) {
 *   console.log(error instanceof RingMisuse && error.rule); // double-release
 * }
 */
export class RingMisuse extends Error {
  /** The name of the class. */
  override readonly name = 'RingMisuse';
  /** The rule of `poundlock explain` that was broken, or `null`. */
  readonly rule: RingMisuseRule | null;
  /** @internal */
  constructor(rule: RingMisuseRule | null, message: string) {
    super(message);
    this.rule = rule;
  }
}
