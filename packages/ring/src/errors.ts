// What a ring throws: every wait ends with a tile, the end of the stream, or one of these.

/** The end of a ring that an endpoint belongs to. */
export type RingSide = 'producer' | 'consumer';

/** How many items went through a ring when it failed: nothing is lost silently. */
export interface ItemCounts {
  /** Items that producers handed over. */
  readonly produced: number;
  /** Items that were given back; with broadcast, by the slowest consumer. */
  readonly consumed: number;
  /** Items that were handed over and never given back. */
  readonly inFlight: number;
  /** Tiles that producers were filling: they were not handed over. */
  readonly unfinished: number;
}

/** Why a ring failed: who, where, and what it held. */
export interface RingFailure {
  readonly role: string;
  readonly side: RingSide;
  /** The stages that it held. */
  readonly stages: readonly number[];
  /** `file:line:column` where it was, if that is known. */
  readonly line: string | null;
  readonly cause: string;
}

/** A peer failed. Every wait of every other endpoint ends with this. */
export class RingPoisoned extends Error implements RingFailure {
  override readonly name = 'RingPoisoned';
  readonly ring: string;
  readonly role: string;
  readonly side: RingSide;
  readonly stages: readonly number[];
  readonly line: string | null;
  override readonly cause: string;
  readonly items: ItemCounts;

  constructor(ring: string, failure: RingFailure, items: ItemCounts) {
    const { role, side, stages, line, cause } = failure;
    const held =
      stages.length === 0
        ? ''
        : ` while it held stage${stages.length > 1 ? 's' : ''} ${stages.join(', ')}`;
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

/** A wait took longer than it was allowed to. The ring goes on working. */
export class RingTimeout extends Error {
  override readonly name = 'RingTimeout';
  constructor(endpoint: string, target: string, timeoutMs: number) {
    super(`${endpoint} waited ${timeoutMs} ms for ${target}`);
  }
}

/** A producer asked for a stage after every consumer has closed. */
export class RingClosed extends Error {
  override readonly name = 'RingClosed';
}

/** The rules of `poundlock explain` that a ring itself enforces. */
export type RingMisuseRule = 'double-release' | 'leaked-stage' | 'use-after-release';

/** A handle or an endpoint was used against its rules: a bug of the caller. */
export class RingMisuse extends Error {
  override readonly name = 'RingMisuse';
  /** The rule of `poundlock explain`, where there is one. */
  readonly rule: RingMisuseRule | null;
  constructor(rule: RingMisuseRule | null, message: string) {
    super(message);
    this.rule = rule;
  }
}
