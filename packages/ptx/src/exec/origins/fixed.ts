// Values that all blocks have, as expressions.
import { lanesOf } from '../../values/lane-mask.ts';
import type { Origin } from '../../values/origin.ts';
import { byLane, exactly } from '../../values/reach.ts';
import type { Reach } from '../../values/reach.ts';
import { ALL_LANES, LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { isVarying, ofLane } from '../../values/terms.ts';

/** Values that all blocks have, as a register holds them. */
export interface Fixed extends Origin {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly known: number;
}

/** Whether all blocks have a value. */
export function isFixed(origin: Origin): origin is Fixed {
  return origin.rule === 'fixed';
}

/** The values of a register that is not computed from the place of a block. */
export function snapshotOf(registers: RegisterFile, register: number): Fixed {
  const isUniform = registers.perLane[register] === 0;
  const begin = register * LANES;
  const end = begin + (isUniform ? 1 : LANES);
  const low = registers.low.slice(begin, end);
  const high = registers.high.slice(begin, end);
  const known = inAllLanes(low, high, registers.known[register]!, registers.existing);
  return fixed(low, high, known, isUniform);
}

/**
 * Values of lanes that do not exist, where those of all others are known: any will do.
 *
 * @returns The lanes that are known then.
 */
export function inAllLanes(
  low: Uint32Array,
  high: Uint32Array,
  known: number,
  existing: number,
): number {
  if (low.length < LANES || known === ALL_LANES || (known & existing) !== existing) return known;
  const last = 31 - Math.clz32(existing);
  low.fill(low[last]!, last + 1);
  high.fill(high[last]!, last + 1);
  return ALL_LANES;
}

/** Values of lanes, or one of all of them. */
export function fixed(
  low: Uint32Array,
  high: Uint32Array,
  known: number,
  isUniform: boolean,
): Fixed {
  let reach: Reach | null | undefined;
  let reached = 0;
  return {
    axes: 0,
    from: 0,
    isUniform: isUniform && (known !== 0 || !isVarying(high[0]!)),
    inputs: [],
    rule: 'fixed',
    low,
    high,
    known,
    isLike: (other) => isLikeFixed(low, high, known, other as Fixed),
    evaluate: (_inputs, lane, _cluster, out) => {
      const at = isUniform ? 0 : lane;
      out.low = low[at]!;
      out.high = high[at]!;
      const isKnown = ((known >>> lane) & 1) === 1;
      if (!isKnown && isVarying(out.high)) ofLane(out, lane);
      return isKnown;
    },
    reach: (_inputs, _box, lanes) => {
      const isKnown = (known & lanes) === lanes;
      const own = isUniform ? 1 : lanes;
      if (reach === undefined || reached !== own)
        reach = isKnown ? reachOfLanes(low, high, own) : null;
      reached = own;
      return reach;
    },
  };
}

/** How far values that all blocks have reach from lane to lane of some. */
function reachOfLanes(low: Uint32Array, high: Uint32Array, lanes: number): Reach {
  return byLane(lanesOf(lanes).map((at) => exactly((high[at]! | 0) * 2 ** 32 + low[at]!)));
}

function isLikeFixed(low: Uint32Array, high: Uint32Array, known: number, other: Fixed): boolean {
  if (other.known !== known || other.low.length !== low.length) return false;
  return (
    low.every((one, at) => one === other.low[at]) && high.every((one, at) => one === other.high[at])
  );
}
