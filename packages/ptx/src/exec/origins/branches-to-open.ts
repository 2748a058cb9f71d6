// Branches that part the blocks of a grid into many classes, by bounds of what decides them.
import type { Dimensions } from '../../launch/launch.ts';
import type { BlockDecision } from '../../steps/block-decision.ts';
import type { Box } from '../../values/origin.ts';
import { Bounds } from './bounds.ts';
import { isSettled } from './cover.ts';
import { halvesOf } from './halves.ts';

/** Into so many boxes a grid is halved. */
const BOXES = 16;
/** Of so many of them bounds have to say what blocks decide. */
const SHARE = 3 / 4;

/** So many decisions of a branch show what it does. */
const MANY = 16;

/** Some of the decisions of a branch, from all of its rounds. */
function some(decisions: readonly BlockDecision[]): BlockDecision[] {
  const step = Math.max(1, Math.floor(decisions.length / MANY));
  return decisions.filter((_each, index) => index % step === 0);
}

/** The branches of which bounds do not say what most of the blocks of a grid decide. */
export function branchesToOpen(
  decisions: readonly BlockDecision[],
  [x, y, z]: Dimensions,
  isBranch: (at: number) => boolean,
): ReadonlySet<number> {
  const ofBranches = decisions.filter(({ at, what }) => what === 'truth' && isBranch(at));
  const own = [...Map.groupBy(ofBranches, ({ at }) => at).values()].flatMap(some);
  let boxes: Box[] = [{ from: [0, 0, 0], to: [x - 1, y - 1, z - 1] }];
  while (boxes.length < Math.min(BOXES, x * y * z)) boxes = boxes.flatMap(halvesOf);
  const roots = own.map(({ origin, mask }) => ({ origin, lanes: mask }));
  const open = new Map<BlockDecision, number>();
  for (const box of boxes) {
    const bounds = new Bounds(roots, box);
    for (const each of own)
      if (!isSettled(each, bounds.of(each.origin))) open.set(each, (open.get(each) ?? 0) + 1);
  }
  const isOpen = (each: BlockDecision): boolean =>
    (open.get(each) ?? 0) > (1 - SHARE) * boxes.length;
  return new Set(own.filter(isOpen).map(({ at }) => at));
}
