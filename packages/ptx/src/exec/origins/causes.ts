// What decides where the launch does not: the sources of a value, as far as they are followed.
import { Cause, OPAQUE } from '../../values/origin.ts';
import type { Origin, Source } from '../../values/origin.ts';

/** The sources of a value. */
export interface Causes {
  /** Bits of {@link Cause}. */
  readonly bits: number;
  readonly sources: readonly Source[];
}

export const NO_CAUSES: Causes = { bits: 0, sources: [] };

/** The sources of two values. */
export function bothOf(one: Causes, other: Causes): Causes {
  const sources = [...new Set([...one.sources, ...other.sources])];
  return { bits: one.bits | other.bits, sources };
}

const DATA: Causes = { bits: Cause.data, sources: [] };

/**
 * What some lanes of an unknown value come from; `null` is a value whose origin is not followed.
 */
export function causesOf(origin: Origin | null, lanes: number): Causes {
  if (origin === null || origin === OPAQUE) return DATA;
  const seen = new Map<Origin, number>();
  const sources = new Set<Source>();
  let bits = 0;
  const open: [Origin, number][] = [[origin, lanes]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [current, wanted] = next;
    const before = seen.get(current) ?? 0;
    if ((wanted & ~before) === 0) continue;
    seen.set(current, before | wanted);
    const { inputs, source, known, lanesOf } = current;
    if (source !== undefined) {
      sources.add(source);
      bits |= source.cause;
    } else if (current === OPAQUE || (known !== undefined && (wanted & ~known) !== 0))
      bits |= Cause.data;
    for (const [index, input] of inputs.entries())
      open.push([input, lanesOf === undefined ? wanted : lanesOf(index, wanted)]);
  }
  return bits === 0 ? DATA : { bits, sources: [...sources] };
}
