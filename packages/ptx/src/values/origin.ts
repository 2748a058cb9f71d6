// How a value is computed from where its block lies in the grid, beside the value in one block.
import type { Wide } from './wide.ts';

/** The values of the inputs of an origin, in one other block. */
export interface Inputs {
  /** Reads an input in a lane into `out`, which holds a term if it is not known. */
  read(index: number, lane: number, out: Wide): boolean;
}

/** The place of a cluster among those of the grid: x, y and z. */
export type Place = readonly [number, number, number];

/** A value as an expression over the place of its block. */
export interface Origin {
  /** Bits of the axes that it is computed from: 1 for x, 2 for y, 4 for z. */
  readonly axes: number;
  /** Whether it is the same in all lanes, in each block. */
  readonly isUniform: boolean;
  readonly inputs: readonly Origin[];
  /** Expressions with the same rule and the same inputs are the same. */
  readonly rule: unknown;
  /** Compares what is beside the rule and the inputs; missing: there is nothing. */
  readonly isLike?: (other: Origin) => boolean;
  /**
   * Computes it in a lane of a block of the cluster at `place` into `out`; whether it is known.
   * `null`: nothing is known of it in other blocks.
   */
  readonly evaluate: ((inputs: Inputs, lane: number, place: Place, out: Wide) => boolean) | null;
}

const ALL_AXES = 7;

/** A value of which nothing is known in other blocks. */
export const OPAQUE: Origin = {
  axes: ALL_AXES,
  isUniform: false,
  inputs: [],
  rule: null,
  evaluate: null,
};

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
