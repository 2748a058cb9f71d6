// Decisions that others imply: a loop compares its counter with a bound in each round, and the last
// rounds say what all others do.
import type { BlockDecision } from '../../steps/block-decision.ts';
import type { Box, Origin } from '../../values/origin.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import { LANES } from '../../values/register-file.ts';
import { Bounds } from './bounds.ts';
import { isFixed } from './fixed.ts';
import type { Fixed } from './fixed.ts';

/** That an expression and a number of each lane are compared with another number of each lane. */
interface Compared {
  readonly decision: BlockDecision;
  readonly base: Origin;
  /** What is added to the expression in a lane. */
  readonly addedIn: (lane: number) => number;
  readonly limit: Fixed;
  readonly isSwapped: boolean;
}

const WORD = 2 ** 32;
const HALF = 2 ** 31;
/** Fewer decisions are not looked at. */
const FEW = 8;

function comparedIn(decision: BlockDecision): Compared | null {
  const { what, origin, mask, known } = decision;
  const { inputs, orders } = origin;
  if (what !== 'truth' || orders === undefined || (mask & ~known) !== 0) return null;
  const [one, other] = inputs as [Origin, Origin];
  const isSwapped = isFixed(one);
  const [value, limit] = isSwapped ? [other, one] : [one, other];
  if (isFixed(value) || !isFixed(limit) || (mask & ~limit.known) !== 0) return null;
  const { sum } = value;
  if (sum?.bits !== 32) return { decision, base: value, addedIn: () => 0, limit, isSwapped };
  const addedIn = (lane: number): number => sum.low[lane % sum.low.length]! | 0;
  return { decision, base: sum.base, addedIn, limit, isSwapped };
}

/** What a lane shows of an expression: which numbers it is between, or one that it is not. */
interface Claim {
  readonly least: number;
  readonly most: number;
  readonly except: number | null;
}

/** What is known of an expression in a lane, and which decisions say so. */
interface Known {
  least: number;
  most: number;
  ofLeast: Compared | null;
  ofMost: Compared | null;
}

/** Expressions whose numbers do not leave the range of their type, where some are added to them. */
class Ranges {
  readonly #bounds: Bounds;

  constructor(all: readonly Compared[], box: Box) {
    const bases = new Set(all.map(({ base }) => base));
    this.#bounds = new Bounds(
      [...bases].map((origin) => ({ origin, lanes: -1 })),
      box,
    );
  }

  /** Whether a sum is as an integer what it is as a word, of a type. */
  isInRange(base: Origin, added: number, isSigned: boolean): boolean {
    const reach = this.#bounds.of(base);
    const [from, to] = isSigned ? [-HALF, HALF] : [0, WORD];
    if (reach === null) return false;
    const [least, most] = [reach.least, reach.most];
    return Math.min(least, least + added) >= from && Math.max(most, most + added) < to;
  }
}

/** What a comparison says in a lane; `null`: nothing that can be followed. */
function claimOf(compared: Compared, lane: number, isTrue: boolean, ranges: Ranges): Claim | null {
  const { base, limit, isSwapped } = compared;
  const { below, equal, above, isSigned } = compared.decision.origin.orders!;
  const low = limit.low[lane % limit.low.length]!;
  const [isBelow, isAbove] = isSwapped ? [above, below] : [below, above];
  const [less, same, more] = [isBelow, equal, isAbove].map((each) => each === isTrue);
  const added = compared.addedIn(lane);
  const [from, to] = isSigned ? [-HALF, HALF - 1] : [0, WORD - 1];
  const number = (isSigned ? low | 0 : low) - added;
  if (same && !less && !more) {
    const own = isSigned ? number | 0 : number >>> 0;
    return { least: own, most: own, except: null };
  }
  if (less && more) {
    const own = isSigned ? number | 0 : number >>> 0;
    return same ? null : { least: from, most: to, except: own };
  }
  if (added !== 0 && !ranges.isInRange(base, added, isSigned)) return null;
  if (less) return { least: from, most: same ? number : number - 1, except: null };
  return { least: same ? number : number + 1, most: to, except: null };
}

/** Decisions without those that others imply. */
export function tightest(decisions: readonly BlockDecision[], box: Box): readonly BlockDecision[] {
  const all = decisions.flatMap((each) => comparedIn(each) ?? []);
  if (all.length < FEW) return decisions;
  const ranges = new Ranges(all, box);
  const byBase = Map.groupBy(all, ({ base }) => base);
  const implied = new Set<BlockDecision>();
  for (const ofBase of byBase.values()) {
    if (ofBase.length < FEW) continue;
    const bySign = Map.groupBy(ofBase, ({ decision }) => decision.origin.orders!.isSigned);
    for (const own of bySign.values())
      for (const each of impliedAmong(own, ranges)) implied.add(each);
  }
  return decisions.filter((each) => !implied.has(each));
}

/** Which of the comparisons of one expression others imply. */
function impliedAmong(all: readonly Compared[], ranges: Ranges): BlockDecision[] {
  const known = Array.from({ length: LANES }, (): Known => {
    return { least: -Infinity, most: Infinity, ofLeast: null, ofMost: null };
  });
  const claims = all.map((each) => claimsInLanes(each, ranges));
  for (const [index, each] of all.entries())
    for (const [lane, own] of claims[index]!) {
      const { least, most } = own ?? NOTHING;
      const lanes = known[lane]!;
      if (own !== null && (least > lanes.least || lanes.ofLeast === null))
        Object.assign(lanes, { least, ofLeast: each });
      if (own !== null && (most < lanes.most || lanes.ofMost === null))
        Object.assign(lanes, { most, ofMost: each });
    }
  const isImplied = (each: Compared, lane: number, own: Claim | null): boolean => {
    const { least, most, ofLeast, ofMost } = known[lane]!;
    if (own === null) return false;
    if (own.except !== null) return own.except < least || own.except > most;
    return ofLeast !== each && ofMost !== each;
  };
  return all.flatMap((each, index) =>
    claims[index]!.every(([lane, own]) => isImplied(each, lane, own)) ? [each.decision] : [],
  );
}

const NOTHING: Claim = { least: -Infinity, most: Infinity, except: null };

function claimsInLanes(compared: Compared, ranges: Ranges): (readonly [number, Claim | null])[] {
  const { mask, values } = compared.decision;
  return lanesOf(mask).map((lane, index) => {
    return [lane, claimOf(compared, lane, values[2 * index] !== 0, ranges)];
  });
}
