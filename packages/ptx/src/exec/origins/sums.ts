// Sums of an expression and of numbers that all blocks have: the numbers are one, however often a
// loop adds to it.
import { ALL_LANES } from '../../values/register-file.ts';
import type { Origin, Sum } from '../../values/origin.ts';
import { sum } from '../../values/reach.ts';
import { mix, seedOf, start } from '../../values/terms.ts';
import { add, set, subtract } from '../../values/wide.ts';
import type { Wide } from '../../values/wide.ts';
import type { Elementwise } from '../warp/operation.ts';
import { fixed, isFixed } from './fixed.ts';
import type { Fixed } from './fixed.ts';

const SEED = seedOf('sum');

const a: Wide = { low: 0, high: 0 };
const b: Wide = { low: 0, high: 0 };

/** Adds words, whose high halves are not read. */
function addWords(out: Wide, aLow: number, _aHigh: number, bLow: number): void {
  set(out, aLow + bLow, 0);
}

/** What adds, by the size of its registers: one rule for all instructions. */
const ADDITIONS = { 32: addWords, 64: add } as const;

/** Numbers that are added one after the other: the second ones `sign` times. */
function total(one: Sum | null, { low, high }: Fixed, sign: 1 | -1, bits: number): Fixed {
  const count = Math.max(one?.low.length ?? 1, low.length);
  const lows = new Uint32Array(count);
  const highs = new Uint32Array(count);
  for (let lane = 0; lane < count; lane++) {
    const [from, at] = [lane % (one?.low.length ?? 1), lane % low.length];
    set(b, low[at]!, high[at]!);
    // −x = ~x + 1
    if (sign === -1) add(b, ~b.low >>> 0, ~b.high >>> 0, 1, 0);
    add(a, one?.low[from] ?? 0, one?.high[from] ?? 0, b.low, b.high);
    lows[lane] = a.low;
    // Words have their sign, which keeps counters small.
    highs[lane] = bits === 32 ? (a.low | 0) >> 31 : a.high;
  }
  return fixed(lows, highs, ALL_LANES, count === 1);
}

/** A sum with all numbers that are added; `null`: the operation is none. */
export function summed(
  { adds, bits }: Elementwise,
  [one, other]: readonly Origin[],
): Origin | null {
  if (adds === undefined || (bits !== 32 && bits !== 64)) return null;
  const [from, by] = isFixed(other!) ? [one!, other] : [other!, one!];
  if (isFixed(from) || !isFixed(by) || by.known !== ALL_LANES) return null;
  if (by === one && adds === -1) return null;
  const inner = from.sum?.bits === bits ? from.sum : null;
  const base = inner?.base ?? from;
  const all = total(inner, by, adds, bits);
  const compute = ADDITIONS[bits];
  return {
    axes: base.axes,
    from: base.from,
    isUniform: base.isUniform && all.isUniform,
    inputs: [base, all, ZERO, ZERO],
    rule: compute,
    operation: compute,
    sum: { base, low: all.low, high: all.high, bits },
    evaluate: (values, lane, _place, out) => {
      const isKnown = values.read(0, lane, a);
      values.read(1, lane, b);
      if (isKnown) compute(out, a.low, a.high, b.low, b.high);
      else {
        start(out, SEED);
        mix(out, a.low, a.high, 0);
        mix(out, b.low, b.high, 1);
      }
      return isKnown;
    },
    reach: ([left, right]) => sum(left!, right!),
  };
}

const ZERO = fixed(new Uint32Array(1), new Uint32Array(1), ALL_LANES, true);

/** How far a sum is from another one of the same expression in some lanes; `null`: not alike. */
export function distanceOf(one: Sum, other: Sum, lanes: number): number | null {
  let distance: number | null = null;
  // Where both are one number, one lane says how far.
  const isOne = one.low.length === 1 && other.low.length === 1;
  for (let rest = isOne ? lanes & -lanes : lanes; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const [at, from] = [lane % one.low.length, lane % other.low.length];
    subtract(a, one.low[at]!, one.high[at]!, other.low[from]!, other.high[from]!);
    const own = (a.high | 0) * 2 ** 32 + a.low;
    if (!Number.isSafeInteger(own) || (distance !== null && own !== distance)) return null;
    distance = own;
  }
  return distance;
}

/** An expression that is the same in some lanes: without what others have. */
export function inLanes(origin: Origin, lanes: number): Origin {
  let own = origin;
  for (let { merged } = own; merged !== undefined; { merged } = own) {
    if ((lanes & ~merged) === 0) own = own.inputs[0]!;
    else if ((lanes & merged) === 0) own = own.inputs[1]!;
    else break;
  }
  return own;
}
