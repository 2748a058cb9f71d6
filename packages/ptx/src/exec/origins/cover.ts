// In which clusters of a grid the values that decide are those of one that was executed.
//
// Values are grouped by the axes that they depend on, and looked at along these alone. Where bounds
// of a whole box of clusters say enough, its clusters are not looked at one by one.
import { LOCAL_WINDOW } from '../../launch/windows.ts';
import type { Dimensions, Launch } from '../../launch/launch.ts';
import type { Box, Origin, Place } from '../../values/origin.ts';
import { isStill } from '../../values/reach.ts';
import type { Reach } from '../../values/reach.ts';
import { isInWindow } from './block-decisions.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import { Bounds } from './bounds.ts';
import { Alike } from './alike.ts';
import { countOf, halvesOf, placesOf } from './halves.ts';
import { tightest } from './tightest.ts';
import type { Work } from './work.ts';

/** Boxes of so few clusters, and those of so many halvings, are looked at one by one. */
const SMALL = 16;
const MAX_HALVINGS = 9;
const WORD = 2 ** 32;

/** The decision that is another one in a place; `null`: none is. */
export interface Cover {
  readonly partingAt: (place: Place) => BlockDecision | null;
}

/** A grid, of which some clusters are wanted. */
export interface Wanted {
  readonly launch: Launch;
  readonly across: Dimensions;
  /** Calls back with each place that is wanted. */
  readonly each: (visit: (place: Place) => void) => void;
  readonly work: Work;
}

/** Finds where decisions are the same; what it says counts only where the work is not over. */
export function coverOf(decisions: readonly BlockDecision[], wanted: Wanted): Cover {
  const [x, y, z] = wanted.across;
  const whole: Box = { from: [0, 0, 0], to: [x - 1, y - 1, z - 1] };
  const tight = tightest(comparable(unique(decisions)), whole);
  const groups = [...groupedByAxes(tight)].map(([axes, own]) => {
    return new Group(axes, own, wanted);
  });
  return {
    partingAt: (place) => {
      for (const group of groups) {
        const parting = group.partingAt(place);
        if (parting !== null) return parting;
      }
      return null;
    },
  };
}

/** Decisions without those that others say as well. */
function unique(decisions: readonly BlockDecision[]): readonly BlockDecision[] {
  const masks = new Map<Origin, Map<string, number>>();
  return decisions.filter(({ origin, what, mask }) => {
    let ofOrigin = masks.get(origin);
    if (ofOrigin === undefined) masks.set(origin, (ofOrigin = new Map()));
    const known = ofOrigin.get(what) ?? 0;
    ofOrigin.set(what, known | mask);
    return (mask & ~known) !== 0;
  });
}

/**
 * Decisions without those on unknown data that is nowhere the same: the run goes all ways that such
 * data may lead to, whatever it is, and in another cluster some of these.
 */
function comparable(decisions: readonly BlockDecision[]): readonly BlockDecision[] {
  const isTwice = new Map<string, boolean>();
  for (const each of decisions)
    for (const term of termsOf(each)) isTwice.set(term, isTwice.has(term));
  return decisions.filter((each) => {
    if ((each.mask & each.known) !== 0) return true;
    return termsOf(each).some((term) => isTwice.get(term) === true);
  });
}

/** The unknown data of a decision: what all lanes have alike once. */
function termsOf({ mask, known, values, origin }: BlockDecision): string[] {
  const terms: string[] = [];
  for (let rest = mask, at = 0; rest !== 0; rest &= rest - 1, at += 2) {
    if ((known & rest & -rest) !== 0 || (origin.isUniform && terms.length > 0)) continue;
    terms.push(`${values[at]!}:${values[at + 1]!}`);
  }
  return terms;
}

/** Whether all lanes of a decision are known. */
function isKnown({ mask, known }: BlockDecision): boolean {
  return (mask & ~known) === 0;
}

/** By the axes that they depend on; unknown data is compared all together. */
function groupedByAxes(decisions: readonly BlockDecision[]): Map<number, BlockDecision[]> {
  const unknown = decisions.filter((each) => !isKnown(each));
  const axesOfUnknown = unknown.reduce((axes, { origin }) => axes | origin.axes, 0);
  return Map.groupBy(decisions, (each) => (isKnown(each) ? each.origin.axes : axesOfUnknown));
}

/** Decisions that depend on the same axes. */
class Group {
  readonly #decisions: readonly BlockDecision[];
  readonly #launch: Launch;
  readonly #sizes: Dimensions;
  readonly #work: Work;
  /** By place along these axes: the number of the decision that is another one; 0: none is. */
  readonly #parting: Int32Array;
  /** 1 for each place that is wanted. */
  readonly #isWanted: Uint8Array;
  readonly #numbers = new Map<BlockDecision, number>();

  constructor(axes: number, decisions: readonly BlockDecision[], wanted: Wanted) {
    const { launch, across, work } = wanted;
    this.#decisions = decisions;
    this.#launch = launch;
    this.#work = work;
    const sizes = across.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
    this.#sizes = sizes as unknown as Dimensions;
    const count = sizes.reduce((product, size) => product * size, 1);
    this.#parting = new Int32Array(count);
    this.#isWanted = new Uint8Array(count);
    wanted.each((place) => {
      this.#isWanted[this.#indexOf(place)] = 1;
    });
    for (const [index, each] of decisions.entries()) this.#numbers.set(each, index + 1);
    const [x, y, z] = this.#sizes;
    const whole: Box = { from: [0, 0, 0], to: [x - 1, y - 1, z - 1] };
    const [apart, together] = this.#byHope(whole);
    if (apart.length > 0) this.#each(whole, apart);
    if (together.length > 0) this.#fill(whole, together, 0);
  }

  /** The decision that is another one in a place; `null`: none is. */
  partingAt(place: Place): BlockDecision | null {
    const number = this.#parting[this.#indexOf(place)]!;
    return number === 0 ? null : this.#decisions[number - 1]!;
  }

  #indexOf([x, y, z]: Place): number {
    const [width, height, depth] = this.#sizes;
    return (
      Math.min(x, width - 1) + width * (Math.min(y, height - 1) + height * Math.min(z, depth - 1))
    );
  }

  /** Decisions of which bounds say nothing, and those of which they may, but not in all places. */
  #byHope(whole: Box): [BlockDecision[], BlockDecision[]] {
    const bounds = this.#boundsOf(whole, this.#decisions);
    const apart: BlockDecision[] = [];
    const together: BlockDecision[] = [];
    for (const each of this.#decisions) {
      // What is known here may be unknown in another block, which bounds do not say.
      const hasBounds = isKnown(each) && bounds.causesOf(each.origin) === 0;
      const reach = hasBounds ? bounds.of(each.origin) : null;
      // What all blocks have alike is what the one has that was executed.
      if (reach !== null && isStill(reach)) continue;
      (reach === null || !isUseful(reach, each) ? apart : together).push(each);
    }
    return [apart, together];
  }

  #boundsOf(box: Box, decisions: readonly BlockDecision[]): Bounds {
    const bounds = new Bounds(
      decisions.map(({ origin, mask }) => ({ origin, lanes: mask })),
      box,
    );
    this.#work.takes(bounds.size);
    return bounds;
  }

  /** Looks at a box, and at its halves where that does not say enough. */
  #fill(box: Box, decisions: readonly BlockDecision[], halvings: number): void {
    if (this.#work.isOver) return;
    const bounds = this.#boundsOf(box, decisions);
    const open: BlockDecision[] = [];
    let isFixed = true;
    for (const each of decisions) {
      const reach = bounds.of(each.origin)!;
      const found = verdictOf(each, reach);
      if (found === 'other') return this.#mark(box, each);
      if (found === 'same') continue;
      open.push(each);
      isFixed &&= isStill(reach);
    }
    if (open.length === 0) return;
    if (isFixed) return this.#alike(box, open);
    if (countOf(box) <= SMALL || halvings === MAX_HALVINGS) return this.#each(box, open);
    for (const half of halvesOf(box)) this.#fill(half, open, halvings + 1);
  }

  /** All clusters of a box are alike. */
  #alike(box: Box, decisions: readonly BlockDecision[]): void {
    const alike = new Alike(decisions, this.#launch);
    if (!this.#work.takes(alike.cost)) return;
    const parting = alike.partingIn(box.from);
    if (parting !== null) this.#mark(box, parting);
  }

  /** Looks at the clusters of a box one by one. */
  #each(box: Box, decisions: readonly BlockDecision[]): void {
    const alike = new Alike(decisions, this.#launch);
    for (const place of placesOf(box)) {
      const index = this.#indexOf(place);
      if (this.#isWanted[index] === 0) continue;
      if (!this.#work.takes(alike.cost)) return;
      const parting = alike.partingIn(place);
      if (parting !== null) this.#parting[index] = this.#numbers.get(parting)!;
    }
  }

  #mark(box: Box, parting: BlockDecision): void {
    const number = this.#numbers.get(parting)!;
    for (const place of placesOf(box)) this.#parting[this.#indexOf(place)] = number;
  }
}

/** Whether bounds of a box say what a decision is in all of its clusters. */
export function isSettled(decision: BlockDecision, reach: Reach | null): boolean {
  if (reach === null || !isKnown(decision)) return false;
  return isStill(reach) || verdictOf(decision, reach) !== 'open';
}

/** Whether bounds may tell a decision from another one. */
function isUseful({ least, most }: Reach, { what }: BlockDecision): boolean {
  if (what === 'map' || !Number.isFinite(least)) return false;
  return what !== 'value' || most - least < WORD - 1;
}

/** What bounds say of a decision in a box: it is the same in all of its clusters, or in none. */
function verdictOf(decision: BlockDecision, reach: Reach): 'same' | 'other' | 'open' {
  const { what, values } = decision;
  const { least, most } = reach;
  if (what === 'window') {
    const isApart = least >= 0 && most < LOCAL_WINDOW * WORD;
    return isApart && values.every((half, at) => at % 2 === 0 || !isInWindow(half))
      ? 'same'
      : 'open';
  }
  if (least < 0 || most >= WORD) return 'open';
  if (what === 'truth') {
    if (least === 0 && most > 0) return 'open';
    const isTrue = least > 0;
    return values.every((half, at) => at % 2 === 1 || (half !== 0) === isTrue) ? 'same' : 'other';
  }
  let [isOne, isWithin] = [least === most, true];
  for (let at = 0; at < values.length; at += 2) {
    const value = values[at]! + values[at + 1]! * WORD;
    isOne &&= value === least;
    isWithin &&= value >= least && value <= most;
  }
  return isOne ? 'same' : isWithin && least < most ? 'open' : 'other';
}
