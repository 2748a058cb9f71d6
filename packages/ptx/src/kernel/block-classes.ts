// The classes of blocks of a launch: a kernel for one cluster of each.
import type {
  BlockClass,
  BlockClasses,
  Kernel,
  PlacedText,
} from '@poundlock/core/internal/program';
import type { BlockDecision, NotedDecisions } from '../steps/block-decision.ts';
import { Classes, placeOf } from '../exec/origins/classes.ts';
import { volume } from '../launch/launch.ts';
import type { Dimensions, Launch } from '../launch/launch.ts';
import { positionOf } from '../places/place.ts';
import type { ExecutedRun } from '../steps/run.ts';

/** The most classes. */
const MAX_CLASSES = 64;

/** The number of the cluster that a launch executes. */
function numberOf({ executed: [x, y, z] = [0, 0, 0] }: Launch, { across }: Classes): number {
  return x + across[0] * (y + across[1] * z);
}

/** A cluster that stands for a class of them, and what its runs rest on, which is added. */
export interface ClassRun {
  readonly place: Dimensions;
  readonly decided: NotedDecisions[];
}

/** All that runs of a cluster rest on. */
function allOf(runs: readonly NotedDecisions[]): [BlockDecision[], boolean] {
  return [runs.flatMap(({ list }) => list), runs.every(({ isFull }) => !isFull)];
}

/** The classes of the clusters of a launch; `decided` grows while the first one is checked. */
export function classesOf(
  kernelIn: (run: ClassRun) => Kernel,
  launch: Launch,
  run: ExecutedRun,
  decided: readonly NotedDecisions[],
): BlockClasses {
  const classes = new Classes(launch);
  const { cluster, grid } = launch;
  function* others(isOver: () => boolean): Generator<BlockClass, PlacedText | null> {
    classes.add(numberOf(launch, classes), ...allOf(decided));
    for (let next = classes.next; next >= 0; next = classes.next) {
      const text = whyOpen(classes, launch);
      if (text !== null) return placedAt(run, classes, text);
      if (isOver()) return { text: 'the time limit was reached' };
      const place = placeOf(next, classes.across);
      const own: NotedDecisions[] = [];
      const kernel = kernelIn({ place, decided: own });
      yield {
        block: [place[0] * cluster[0], place[1] * cluster[1], place[2] * cluster[2]],
        kernel,
      };
      classes.add(next, ...allOf(own));
    }
    return null;
  }
  return {
    total: volume(grid),
    clusterSize: volume(cluster),
    others,
    ranges: () => classes.sizes.map((_size, index) => classes.rangesOf(index)),
  };
}

/** Why the other clusters are in no class. */
function whyOpen(classes: Classes, { cluster }: Launch): string | null {
  const what = volume(cluster) === 1 ? 'blocks' : 'clusters';
  if (classes.isTooMuch) return `the ${what} of the grid are too many to compare`;
  if (classes.sizes.length < MAX_CLASSES) return null;
  return `${what} differ here: ${MAX_CLASSES} were executed, and others may do something else`;
}

function placedAt(run: ExecutedRun, { parting }: Classes, text: string): PlacedText {
  if (parting === null || parting.at < 0) return { text };
  return { text, position: positionOf(run.places(parting.at)) };
}
