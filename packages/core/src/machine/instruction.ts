// An operation with every name resolved to a physical id: what the machine executes.
import type { InstructionKind, Side } from '../op/index.ts';

/**
 * A resolved operation. Ids are physical (`id * ctas + cta`). All instructions have the same
 * fields, so that engines stay fast; one that a kind does not use is −1 where it is an id, else 0,
 * `false` or empty. Instructions are interned by content: equal operations of one role are one
 * object.
 */
export interface Instruction {
  readonly kind: InstructionKind;
  /** The role that executes it, and its CTA. */
  readonly role: number;
  readonly cta: number;
  /** What it names, as the catalogue says; of several barriers, the first. */
  readonly target: number;
  /** Every barrier that is reached: one per target CTA. */
  readonly barriers: readonly number[];
  /** Arrivals of each thread; of `init`, those that complete a phase. */
  readonly arrivals: number;
  /** Threads of the role that arrive. */
  readonly lanes: number;
  /** Threads that a named barrier takes. */
  readonly threads: number;
  /** Transaction bytes. */
  readonly bytes: number;
  /** The absolute phase, or the parity, that is waited for. */
  readonly phase: number;
  readonly parity: number;
  /** The side of a ring, whose register is meant. */
  readonly side: Side;
  /** The stage that a step's register must stand at (R10); −1: any. */
  readonly past: number;
  /** Whether a wait tests nothing, because a try has said that it would pass (R08). */
  readonly isAssumed: boolean;
  /** Whether a producer's wait only sees a stage emptied, and fills nothing (R04). */
  readonly isDraining: boolean;
  /** What is stored in a cell, and what is added to one. */
  readonly stored: number;
  readonly amount: number;
  /** The roles whose groups on the unit are over together with the role's own, with itself (H4). */
  readonly team: readonly number[];
  /** Units of a pool; registers of a thread. */
  readonly units: number;
  /** The most groups that a wait leaves open. */
  readonly inFlight: number;
  /** The number of answers of a choice. */
  readonly choices: number;
  /** How long a role works. */
  readonly cycles: number;
  /** The asynchronous engine, and of a wait for groups, that of what its stores read. */
  readonly unit: number;
  readonly reading: number;
  readonly reads: readonly number[];
  readonly writes: readonly number[];
  /** The buffers that it names, of which `reads` and `writes` are pieces. */
  readonly named: readonly number[];
  /** The flights that an asynchronous operation starts, as ids of the machine's flight table. */
  readonly flights: readonly number[];
  /** Whether a copy is made through a tensor map. */
  readonly hasMap: boolean;
  /** Its semantics and scope (S11), and of a fence, its kind and the space that it is about. */
  readonly order: number;
  readonly fence: number;
  readonly space: number;
  /** Whether a test names no phase but a parity, and a group wait what the groups read alone. */
  readonly isRaw: boolean;
  /** Whether only some lanes of a warp come to an aligned barrier, or warps of a group (Q03). */
  readonly isDivergent: boolean;
  /** Whether a read may not happen, so that it shows of no write that it is over (H1). */
  readonly isPossible: boolean;
  /** Whether a read is a part of a store. */
  readonly isOfStore: boolean;
}
