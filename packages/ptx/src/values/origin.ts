// How a value is computed from where its block lies in the grid, beside the value in one block, and
// from what neither the launch nor the block says: clocks, addresses, the machine, memory.
import type { Reach } from './reach.ts';
import type { Wide } from './wide.ts';

/** What a launch does not say, as bits: what a value comes from. */
export const Cause = {
  /** Clocks, and how often a try failed: any number that is not below the last one. */
  time: 1,
  /** Where buffers and windows of memory lie. */
  place: 2,
  /** Which warp of the machine it is, and on which multiprocessor. */
  machine: 4,
  /** Registers and memory that nothing has written. */
  none: 8,
  /** Memory whose contents the launch does not give. */
  data: 16,
} as const;

/** A value that the launch does not say, of which others are computed. */
export interface Source {
  readonly cause: number;
  /** What it is, as a phrase: `%clock`, `where in lies`. */
  readonly text: string;
  /** What any value may be given; missing where only some may. */
  readonly variable?: Variable;
}

/** A source that may have any value, within bounds. */
export type Variable =
  | ClockRead
  /** A register that the machine sets as it likes. */
  | { readonly kind: 'register'; readonly name: string }
  /** The address of a buffer, which is a multiple of a power of two. */
  | { readonly kind: 'buffer'; readonly window: number; readonly bits: number };

/** A read of a clock. */
export interface ClockRead {
  readonly kind: 'clock';
  /** The warp that reads it, and how many clocks it has read before. */
  readonly warp: number;
  readonly index: number;
  /** Its number among all reads of the run. */
  readonly order: number;
  /** Whether it is the clock of a multiprocessor, or that of the whole device. */
  readonly isGlobal: boolean;
  /** Which bits of the counter it holds. */
  readonly part: 'all' | 'low' | 'high';
}

/** Computes a value from up to four inputs, each as its two halves, into `out`. */
export type Compute = (
  out: Wide,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  dLow: number,
) => void;

/** The values of the inputs of an origin, in one other block. */
export interface Inputs {
  /** Reads an input in a lane into `out`, which holds a term if it is not known. */
  read(index: number, lane: number, out: Wide): boolean;
  /** Whether addresses are unknown, as they are where they decide. */
  readonly hidesAddresses?: boolean;
}

/** The place of a cluster among those of the grid: x, y and z. */
export type Place = readonly [number, number, number];

/** A value as an expression over the place of its block. */
export interface Origin {
  /** Bits of the axes that it is computed from: 1 for x, 2 for y, 4 for z. */
  readonly axes: number;
  /** Whether it is the same in all lanes, in each block. */
  readonly isUniform: boolean;
  /** Bits of {@link Cause} of all sources that it is computed from. */
  readonly from: number;
  /** How many low bits of what is computed from places are facts. */
  readonly exact?: number;
  /** Whether it is computed from places, and the same wherever they are. */
  readonly isFact?: boolean;
  /** What it is itself that the launch does not say; missing for what is computed. */
  readonly source?: Source;
  readonly inputs: readonly Origin[];
  /** Expressions with the same rule and the same inputs are the same. */
  readonly rule: unknown;
  /** Which orders of its first two inputs make it true, which are words. */
  readonly orders?: Orders;
  /** What it is a sum of, where numbers that all blocks have are added. */
  readonly sum?: Sum;
  /** The lanes of its first input, where the second one counts in the others. */
  readonly merged?: number;
  /** The lanes of some in which an input counts; missing: all inputs do in all of them. */
  readonly lanesOf?: (index: number, lanes: number) => number;
  /** The lanes in which a value that is not computed is known. */
  readonly known?: number;
  /** Compares what is beside the rule and the inputs; missing: there is nothing. */
  readonly isLike?: (other: Origin) => boolean;
  /**
   * Computes it in a lane of a block of the cluster at `place` into `out`; whether it is known.
   * `null`: nothing is known of it in other blocks.
   */
  readonly evaluate: ((inputs: Inputs, lane: number, place: Place, out: Wide) => boolean) | null;
  /** The operation on the first four inputs that computes it where all of them are known. */
  readonly operation?: Compute;
  /**
   * How far some lanes of it reach in the blocks of a box, from how far its inputs do, all of which
   * are known that count in these lanes; `null`: not known.
   */
  readonly reach: (inputs: readonly (Reach | null)[], box: Box, lanes: number) => Reach | null;
}

/** A comparison of words: in which orders of them it holds. */
export interface Orders {
  readonly below: boolean;
  readonly equal: boolean;
  readonly above: boolean;
  readonly isSigned: boolean;
}

/** An expression, and a number for each lane, or one for all, that is added to it. */
export interface Sum {
  readonly base: Origin;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly bits: number;
}

/** Clusters from one place to another one, both of them included. */
export interface Box {
  readonly from: Place;
  readonly to: Place;
}

export const ALL_AXES = 7;

/** A value of which nothing is known in other blocks. */
export const OPAQUE: Origin = {
  axes: ALL_AXES,
  isUniform: false,
  from: 0,
  inputs: [],
  rule: null,
  evaluate: null,
  reach: () => null,
};

/** Stands for what a register holds that nothing has written, until it is read. */
export function unwritten(text: string): Origin {
  const source = { cause: Cause.none, text };
  const none = { axes: 0, isUniform: false, from: Cause.none, inputs: [], evaluate: null };
  return { ...none, rule: source, source, reach: () => null };
}

/** The deepest expressions that are compared with one another. */
const MAX_COMPARED = 64;

/** Whether two origins are the same expression. */
export function isSame(one: Origin | null, other: Origin | null, depth = 0): boolean {
  if (one === other) return one !== OPAQUE;
  if (one === null || other === null || depth > MAX_COMPARED) return false;
  if (one.rule !== other.rule || one.inputs.length !== other.inputs.length) return false;
  if (one.isLike?.(other) === false) return false;
  return one.inputs.every((input, index) => isSame(input, other.inputs[index]!, depth + 1));
}

/** The predicate of an instruction that other blocks may execute in other lanes. */
export interface Picked {
  readonly guard: Origin;
  readonly isNegated: boolean;
  /** The lanes that come to the instruction. */
  readonly mask: number;
}
