// An operation with every name resolved to a physical id: what the machine executes.
import type { OpKind } from '../op/index.ts';

/**
 * A resolved operation. Ids are physical (`id * ctas + cta`), −1 where unused. Instructions are
 * interned by content: equal operations of one role are one object.
 */
export interface Instruction {
  readonly kind: OpKind;
  /** The role that executes it, and its CTA. */
  readonly role: number;
  readonly cta: number;
  /** Barrier, cell, pool, named barrier, count, ring or role. */
  readonly target: number;
  /** Every barrier that is reached: one per target CTA. */
  readonly barriers: readonly number[];
  readonly count: number;
  readonly bytes: number;
  readonly value: number;
  readonly unit: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** The flights that an asynchronous operation starts, as ids of the machine's flight table. */
  readonly flights: readonly number[];
}
