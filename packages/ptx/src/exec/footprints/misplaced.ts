// Clusters that touch memory beyond its buffers, or where it is no multiple of its unit, among
// those whose addresses do not simply move with the cluster.
import type { Box, Place } from '../../values/origin.ts';
import type { Reach } from '../../values/reach.ts';
import { Bounds } from '../origins/bounds.ts';
import type { InLanes } from '../origins/bounds.ts';
import { Evaluator } from '../origins/evaluate.ts';
import type { Work } from '../origins/work.ts';
import { countOf, halvesOf, placesOf } from '../origins/halves.ts';
import { TouchPlacer } from './placed-touch.ts';
import { TooMuchMemory } from './too-much.ts';
import { rangesOf } from './touches.ts';
import type { Touch } from '../../steps/touches.ts';

/** The bytes of a buffer, or of a variable, whose size is a fact; `null`: they are not known. */
export type Buffer = readonly [from: number, to: number, isVariable: boolean] | null;

/** The buffer that an address lies in. */
export type BufferOf = (address: number) => Buffer;

/** A cluster that touches memory where it may not. */
export interface Misplaced {
  readonly cluster: number;
  /** Whether no more than one cluster of its class is within the buffer. */
  readonly isOfOne: boolean;
}

/** Whether a range begins where it may not. */
export function isOdd(ranges: readonly number[], { unit }: Touch): boolean {
  return ranges.some((each, index) => index % 2 === 0 && each % unit !== 0);
}

/** Whether a range lies beyond a buffer. */
export function isBeyond(ranges: readonly number[], buffer: Buffer): boolean {
  return buffer !== null && ranges.some((each) => each < buffer[0] || each > buffer[1]);
}

/** Whether the launch may give the bytes of one cluster: only so many are within a buffer. */
export function mayBeOfOne(buffer: Buffer, within: number): boolean {
  return within < 2 && buffer?.[2] !== true;
}

/** The clusters of a class, and where all clusters of the grid lie. */
export interface ClassPlaces {
  readonly whole: Box;
  readonly places: readonly Place[];
  readonly numberAt: (place: Place) => number;
  readonly isOfClass: (cluster: number) => boolean;
}

/** A touch that is looked at, with its buffer and what was found of it. */
interface Watched {
  readonly touch: Touch;
  readonly buffer: Buffer;
  misplaced: number | null;
  isOdd: boolean;
  within: number;
}

/** Touches with the same expressions, and the clusters that have to be looked at. */
interface Alike {
  readonly watched: Watched[];
  readonly clusters: Set<number>;
}

/** The bytes from the first to the last one that a touch may reach; `null`: that is not known. */
export function hullOf(
  { offset, bytes }: Touch,
  reach: Reach | null,
): readonly [number, number] | null {
  if (reach === null || !Number.isFinite(reach.least) || reach.least < 0) return null;
  return [reach.least + offset, reach.most + offset + bytes];
}

/** Whether no lane makes a touch; a value that comes from data may be unknown elsewhere. */
function isNever(bounds: Bounds, { guard }: Touch): boolean {
  if (guard === null || guard.guard.from !== 0) return false;
  const reach = bounds.of(guard.guard);
  if (reach === null) return false;
  const { least, most } = reach;
  return guard.isNegated ? least > 0 : least === 0 && most === 0;
}

function isInPlace(bounds: Bounds, touch: Touch, buffer: Buffer): boolean {
  if (isNever(bounds, touch)) return true;
  const reach = bounds.of(touch.origin!);
  const hull = hullOf(touch, reach);
  const unit = 2 ** (reach?.zeros ?? 0);
  if (unit % touch.unit !== 0 || touch.offset % touch.unit !== 0) return false;
  return buffer === null || (hull !== null && !isBeyond(hull, buffer));
}

/** The first cluster of each touch that is misplaced. */
export function* misplacedOthers(
  touches: readonly Touch[],
  bufferOf: BufferOf,
  class_: ClassPlaces,
  work: Work,
): Generator<Misplaced> {
  const all = touches.map((touch): Watched => {
    const buffer = bufferOf(Math.min(...rangesOf(touch)));
    return { touch, buffer, misplaced: null, isOdd: false, within: 0 };
  });
  const open = [...openOf(all, class_, work)];
  if (work.isOver) throw new TooMuchMemory();
  const watched = open.flatMap((each) => each.watched);
  const placer = new TouchPlacer(work, class_.places, [watched.map(({ touch }) => touch)]);
  const clusters = new Set(open.flatMap((each) => [...each.clusters]));
  for (const cluster of [...clusters].toSorted((one, other) => one - other))
    for (const each of open) if (each.clusters.has(cluster)) look(each, cluster, placer, work);
  for (const { misplaced, within, isOdd: isUneven, buffer } of watched)
    if (misplaced !== null)
      yield { cluster: misplaced, isOfOne: !isUneven && mayBeOfOne(buffer, within) };
}

/** So many values are computed in all clusters, and not looked for in halves of the grid. */
const FEW = 40_000_000;

/** Touches whose bounds leave open whether they are in place, and in which clusters. */
function* openOf(
  all: readonly Watched[],
  { whole, numberAt, isOfClass }: ClassPlaces,
  work: Work,
): Generator<Alike> {
  const everywhere = new Bounds(
    all.flatMap(({ touch }) => rootsOf(touch)),
    whole,
    { work },
  );
  const open = all.filter(({ touch, buffer }) => !isInPlace(everywhere, touch, buffer));
  if (open.length === 0) return;
  const roots = open.flatMap(({ touch }) => rootsOf(touch).map(({ origin }) => origin));
  const { cost } = new Evaluator(roots);
  if (cost * countOf(whole) < FEW) {
    const clusters = new Set([...placesOf(whole)].map(numberAt).filter(isOfClass));
    yield { watched: open, clusters };
    return;
  }
  for (const { watched, box } of openBoxes(open, whole, work)) {
    const clusters = new Set<number>();
    for (const place of placesOf(box)) clusters.add(numberAt(place));
    for (const cluster of clusters) if (!isOfClass(cluster)) clusters.delete(cluster);
    if (clusters.size > 0) yield { watched, clusters };
  }
}

/** Boxes of so few clusters are not halved, nor those behind so many others. */
const SMALL = 4;
const MAX_BOXES = 1024;

/** Boxes with the touches of which bounds leave open whether they are in place there. */
function* openBoxes(
  all: readonly Watched[],
  whole: Box,
  work: Work,
): Generator<{ readonly watched: Watched[]; readonly box: Box }> {
  const due = [{ watched: [...all], box: whole }];
  for (let count = 1; due.length > 0 && !work.isOver; count++) {
    const { watched, box } = due.pop()!;
    const wanted = watched.flatMap(({ touch }) => rootsOf(touch));
    const bounds = new Bounds(wanted, box, { work });
    work.takes(bounds.size);
    const open: Watched[] = [];
    for (const each of watched)
      if (isInPlace(bounds, each.touch, each.buffer)) each.within += countOf(box);
      else open.push(each);
    if (open.length === 0) continue;
    if (count > MAX_BOXES || countOf(box) <= SMALL) yield { watched: open, box };
    else for (const half of halvesOf(box).toReversed()) due.push({ watched: open, box: half });
  }
}

/** The expressions that say where a touch is, and whether. */
function rootsOf({ origin, guard, lanes }: Touch): InLanes[] {
  const where = { origin: origin!, lanes };
  return guard === null ? [where] : [where, { origin: guard.guard, lanes: guard.mask }];
}

function look({ watched }: Alike, cluster: number, placer: TouchPlacer, work: Work): void {
  for (const each of watched) {
    const { touch, buffer } = each;
    const ranges = placer.rangesIn(touch, cluster, null) ?? [];
    if (work.isOver) throw new TooMuchMemory();
    if (ranges.length === 0) continue;
    const isUneven = isOdd(ranges, touch);
    if (!isUneven && !isBeyond(ranges, buffer)) each.within++;
    else each.misplaced ??= cluster;
    each.isOdd ||= isUneven;
  }
}
