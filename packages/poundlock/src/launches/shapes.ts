// Shapes of blocks and clusters that a text allows, where it does not say which.
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import type { Skeleton } from '@poundlock/ptx/internal/infer/skeleton';
import type { Dimensions } from '@poundlock/ptx/internal/launch/launch';
import { volume } from '@poundlock/ptx/internal/launch/launch';
import type { Origin } from '@poundlock/ptx/internal/launch/origin';

/** A block and a cluster. */
export interface Shape {
  readonly block: Dimensions;
  readonly cluster: Dimensions;
}

const WARP = 32;
const MAX_THREADS = 1024;
/** Blocks of several dimensions, the likeliest first. */
const SQUARES: readonly Dimensions[] = [
  [16, 16, 1],
  [32, 8, 1],
  [8, 8, 1],
  [32, 32, 1],
  [64, 4, 1],
  [32, 4, 1],
];
/** Clusters, the likeliest first. */
const CLUSTERS: readonly Dimensions[] = [
  [2, 1, 1],
  [4, 1, 1],
  [1, 1, 1],
];

/** All multiples of a warp that are tried. */
function lines(): Dimensions[] {
  const list: Dimensions[] = [];
  for (let threads = WARP; threads <= MAX_THREADS; threads += threads < 512 ? WARP : 128)
    list.push([threads, 1, 1]);
  return list;
}

function blocksOf({ facts }: Skeleton): readonly Dimensions[] {
  const { specials } = facts.flows;
  if (specials.has('%tid.y') || specials.has('%tid.z')) return SQUARES;
  // A named barrier for more threads than there are never opens.
  const least = Math.max(0, ...facts.barrierCounts);
  return lines().filter(([threads]) => threads >= least);
}

/** The shapes of a kernel; one where its text or the user says which. */
export function shapesOf(skeleton: Skeleton): Shape[] {
  const { block, cluster } = skeleton;
  const blocks = block === null ? blocksOf(skeleton) : [block.value];
  const clusters = cluster === null ? CLUSTERS : [cluster.value];
  return blocks.flatMap((each) => clusters.map((own) => ({ block: each, cluster: own })));
}

/** Whether the shape of a launch is guessed. */
export function isGuessed({ block, cluster }: Skeleton): boolean {
  return block === null || cluster === null;
}

/** Whether a number of the launch is guessed. */
export function hasGuessedNumbers(skeleton: Skeleton): boolean {
  const { supplied } = skeleton;
  return slotsIn(skeleton).some(
    ({ kind, name }) => kind === 'number' && !supplied.values.has(name),
  );
}

/** A shape in words. */
export function sizeText([x, y, z]: Dimensions): string {
  if (z > 1) return `${x}x${y}x${z}`;
  return y > 1 ? `${x}x${y}` : String(x);
}

/** The block of a shape, and its cluster if it has one. */
export function shapeText({ block, cluster }: Shape): string {
  const own = `block ${sizeText(block)}`;
  return volume(cluster) > 1 ? `${own}, cluster ${sizeText(cluster)}` : own;
}

/** What the shape of a verdict rests on. */
export interface ShapeOrigins {
  readonly block: Origin;
  readonly cluster: Origin;
}

/** Where a shape comes from; `guess` says what the guessed parts are. */
export function originsOf({ block, cluster }: Skeleton, guess: Origin): ShapeOrigins {
  return { block: block?.from ?? guess, cluster: cluster?.from ?? guess };
}

/** Whether two shapes are the same. */
export function isSame(one: Shape, other: Shape): boolean {
  return shapeText(one) === shapeText(other);
}
