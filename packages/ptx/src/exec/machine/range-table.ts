// Ranges that accesses touch: equal ones are one object, which takes memory and is sorted once.
import type { Ranges, Step } from '../../steps/step.ts';

/** Nothing is touched. */
const NOTHING: Ranges = [];

/** The ranges of all accesses of a run. */
export class RangeTable {
  readonly #byHash = new Map<number, Ranges[]>();

  /** The object for ranges, which may be those that are passed: they must not change then. */
  shared(ranges: Ranges): Ranges {
    if (ranges.length === 0) return NOTHING;
    const hash = hashOf(ranges);
    const candidates = this.#byHash.get(hash);
    if (candidates === undefined) {
      this.#byHash.set(hash, [ranges]);
      return ranges;
    }
    const equal = candidates.find((candidate) => areEqual(candidate, ranges));
    if (equal === undefined) candidates.push(ranges);
    return equal ?? ranges;
  }

  /** A step, of asynchronous work with the objects for its ranges. */
  inWork(step: Step): Step {
    if (step.op !== 'copy' && step.op !== 'use') return step;
    return { ...step, reads: this.shared(step.reads), writes: this.shared(step.writes) };
  }
}

/** Of the low halves: ranges that differ by multiples of 2^32 alone are few. */
function hashOf(ranges: Ranges): number {
  let hash = ranges.length;
  for (let index = 0; index < ranges.length; index++)
    hash = Math.imul(hash ^ ranges[index]!, 0x0100_0193) ^ (hash >>> 15);
  return hash;
}

function areEqual(one: Ranges, other: Ranges): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
