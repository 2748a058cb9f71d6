// Predicates that are the same whatever a launch leaves open, as masks and the like bound what is
// not known: `(x & 3) + 1 > 0` for any `x`.
import { Cause } from '../../values/origin.ts';
import type { Origin, Place } from '../../values/origin.ts';
import { exactly } from '../../values/reach.ts';
import type { Reach } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';
import { inOrder } from './evaluate.ts';

/** Any number, which moves in any way. */
const ANY: Reach = { least: -Infinity, most: Infinity, moves: null, zeros: 0 };
const nothing = { read: () => false, hidesAddresses: true };
const out: Wide = { low: 0, high: 0 };

/** What a predicate is in a lane of the block at a place; `undefined`: what is open decides it. */
export function alwaysOf(predicate: Origin, lane: number, place: Place): boolean | undefined {
  const box = { from: place, to: place };
  const known = new Map<Origin, Reach>();
  const reachOf = (origin: Origin): Reach => {
    const { inputs, merged, from } = origin;
    // The addresses of a run that it is computed from are no facts.
    if ((from & Cause.place) !== 0) return ANY;
    if (inputs.length === 0) return valueOf(origin, lane, place);
    if (merged !== undefined) return known.get(inputs[(merged >>> lane) & 1 ? 0 : 1]!)!;
    const reaches = inputs.map((input) => known.get(input)!);
    return origin.reach(reaches, box, 1 << lane) ?? ANY;
  };
  for (const origin of inOrder([predicate])) known.set(origin, reachOf(origin));
  const { least, most } = known.get(predicate)!;
  return least === most ? least !== 0 : undefined;
}

/** A value that is not computed, in one lane: any where the launch leaves it open. */
function valueOf({ evaluate, from }: Origin, lane: number, place: Place): Reach {
  if (from !== 0 || evaluate?.(nothing, lane, place, out) !== true) return ANY;
  return exactly((out.high | 0) * 2 ** 32 + out.low);
}
