// Whether a value that is computed from the place of the block is at most a number.
import { OPAQUE } from '../../values/origin.ts';
import type { Inputs, Origin, Place } from '../../values/origin.ts';
import { predicate } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';

/** Whether the low half of a value is at most a number, in each lane. */
export function atMost(value: Origin, limit: number): Origin {
  if (value === OPAQUE) return OPAQUE;
  const { axes, from, isUniform } = value;
  return {
    axes,
    from,
    isUniform,
    inputs: [value],
    rule: `at most ${limit}`,
    evaluate: (values: Inputs, lane: number, _place: Place, out: Wide) => {
      const isKnown = values.read(0, lane, out);
      out.low = out.low <= limit ? 1 : 0;
      out.high = 0;
      return isKnown;
    },
    reach: ([own]) => {
      const { least, most } = own!;
      const isIn = least >= 0 && most < 2 ** 32;
      return predicate(isIn && most <= limit, isIn && least > limit, own!);
    },
  };
}
