// The clusters of a grid for which bounds of expressions leave a question open.
import type { Box } from '../../values/origin.ts';
import { Bounds } from '../origins/bounds.ts';
import type { InLanes } from '../origins/bounds.ts';
import type { Work } from '../origins/work.ts';
import { countOf, halvesOf } from '../origins/halves.ts';

/** Boxes of so few clusters are not halved, nor those behind so many others. */
const SMALL = 4;
const MAX_BOXES = 1024;

/** The boxes of clusters for which bounds leave a question open: others are not looked at. */
export function* openPlaces(
  roots: readonly InLanes[],
  whole: Box,
  work: Work,
  isOpen: (bounds: Bounds, box: Box) => boolean,
): Generator<Box> {
  const due = [whole];
  for (let count = 1; due.length > 0; count++) {
    const box = due.pop()!;
    const bounds = new Bounds(roots, box, { work });
    work.takes(bounds.size);
    if (!isOpen(bounds, box)) continue;
    if (count > MAX_BOXES || countOf(box) <= SMALL) yield box;
    else due.push(...halvesOf(box).toReversed());
  }
}
