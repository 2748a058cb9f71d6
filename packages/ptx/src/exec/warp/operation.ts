// An operation on values: what it computes from inputs that are known, partly known, or unknown.
import { isOutOfOrder, mix, start } from '../../values/terms.ts';
import type { Comparison } from '../../isa/effect.ts';
import type { Compute, Orders } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import type { ReachRule } from './reaches.ts';

export type { Compute } from '../../values/origin.ts';

/**
 * Computes a value although not all inputs are known, such as `x & 0`. `known` has a bit for each
 * input, the first in bit 0.
 *
 * @returns Whether `out` holds the value.
 */
export type ComputePartly = (
  out: Wide,
  known: number,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
) => boolean;

/**
 * The identity of an unknown result that is not one of its own: that of an input, or of another
 * instruction which computes the same. `known` is as for {@link ComputePartly}.
 *
 * @returns Whether `out` holds the term.
 */
export type ComputeTerm = (
  out: Wide,
  known: number,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
) => boolean;

/** How low bits of a result follow from those of inputs. */
export type AddressRule =
  | 'copy'
  | 'part'
  | 'pack'
  | 'convert'
  | 'add'
  | 'subtract'
  | 'multiply'
  | 'multiplyAdd'
  | 'and'
  | 'or'
  | 'shiftLeft'
  | 'shiftRight'
  | 'field'
  | 'select'
  | 'compare'
  | 'space'
  | 'other';

/** What an operation does with addresses. */
export interface Kind {
  readonly rule: AddressRule;
  /** Which inputs have to be addresses, so that the result is not simply one: see `places.ts`. */
  readonly onAddresses: 'same' | 'sum' | 'difference' | 'product' | 'number';
  readonly inputBits: number;
  readonly resultBits: number;
  /** The first bit of a part. */
  readonly shift: number;
  readonly comparison: Comparison | null;
}

/** What an elementwise instruction reads, computes and writes. */
export interface Elementwise {
  /** The register that is written. */
  readonly destination: number;
  /** Registers that are read; missing inputs are the constant 0. */
  readonly sources: readonly [number, number, number, number];
  /** Identifies the operation in terms of unknown results. */
  readonly seed: number;
  /** Whether the first two inputs may change places. */
  readonly isCommutative?: boolean;
  readonly compute: Compute;
  /** Whether it is the sum, or the difference, of the first two, modulo the size of a register. */
  readonly adds?: 1 | -1;
  /** Where it is a comparison of words alone: in which orders it holds. */
  readonly orders?: Orders;
  readonly partly?: ComputePartly;
  readonly term?: ComputeTerm;
  /** Missing: it is not followed. */
  readonly kind?: Kind;
  /** How far the result reaches from known inputs, and its bits; anywhere where it is missing. */
  readonly reach?: ReachRule;
  readonly bits: number;
}

/**
 * Computes into `result` from inputs that are not all known: those with their bits in `k`.
 *
 * @returns Whether `result` holds a value, and no term.
 */
export function computePartly(
  { seed, partly, term, isCommutative }: Elementwise,
  k: number,
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
  cLow: number,
  cHigh: number,
  dLow: number,
  dHigh: number,
  result: Wide,
): boolean {
  if (partly !== undefined && partly(result, k, aLow, aHigh, bLow, bHigh, cLow, cHigh)) return true;
  if (term?.(result, k, aLow, aHigh, bLow, bHigh) === true) return false;
  start(result, seed);
  const isSwapped = isCommutative === true && isOutOfOrder(aLow, aHigh, bLow, bHigh);
  if (isSwapped) mix(result, bLow, bHigh, k & 2);
  mix(result, aLow, aHigh, k & 1);
  if (!isSwapped) mix(result, bLow, bHigh, k & 2);
  mix(result, cLow, cHigh, k & 4);
  mix(result, dLow, dHigh, k & 8);
  return false;
}
