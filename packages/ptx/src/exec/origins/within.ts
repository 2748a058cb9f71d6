// Whether a word that is computed from the place of the block lies in a range.
import type { ScalarType } from '../../isa/scalar-type.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Inputs, Origin, Place } from '../../values/origin.ts';
import { predicate } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';

/** Numbers of a type, from the least to the most. */
export interface Range {
  readonly type: ScalarType;
  readonly least: number;
  readonly most: number;
}

/** Whether the low half of a value lies in a range, as a number of its type. */
export function isIn(low: number, { type, least, most }: Range): boolean {
  const number = type.class === 'signed' ? low | 0 : low >>> 0;
  return number >= least && number <= most;
}

/** The same in each lane of a value that is computed. */
export function within(value: Origin, range: Range): Origin {
  if (value === OPAQUE) return OPAQUE;
  const { axes, from, isUniform } = value;
  const { type, least, most } = range;
  const [first, last] = type.class === 'signed' ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  return {
    axes,
    from,
    isUniform,
    inputs: [value],
    rule: `within ${type.class} ${least} ${most}`,
    evaluate: (values: Inputs, lane: number, _place: Place, out: Wide) => {
      const isKnown = values.read(0, lane, out);
      out.low = isIn(out.low, range) ? 1 : 0;
      out.high = 0;
      return isKnown;
    },
    reach: ([own]) => {
      const isWhole = own!.least >= first && own!.most <= last;
      const holds = isWhole && own!.least >= least && own!.most <= most;
      return predicate(holds, isWhole && (own!.least > most || own!.most < least), own!);
    },
  };
}
