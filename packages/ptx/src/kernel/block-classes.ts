// The classes of blocks of a launch: a kernel for one cluster of each, and for those that meet.
import type {
  BlockClasses,
  ExecutedBlocks,
  PlacedText,
  ReferenceAssumption,
} from '@poundlock/core/internal/program';
import type { BlockDecision } from '../steps/block-decision.ts';
import { ownTouch } from '../exec/footprints/groups.ts';
import type { ClassTouches } from '../exec/footprints/groups.ts';
import { ValuesNeeded } from '../exec/footprints/too-much.ts';
import { Classes, placeOf } from '../exec/origins/classes.ts';
import { volume } from '../launch/launch.ts';
import type { Launch } from '../launch/launch.ts';
import { positionOf } from '../places/place.ts';
import type { ExecutedRun } from '../steps/run.ts';
import { meetingsOf } from './block-meetings.ts';
import { blockOf, takesBlocks } from './executed-clusters.ts';
import type { ClassRun, KernelIn, RunsOf } from './executed-clusters.ts';

/** The most classes. */
const MAX_CLASSES = 64;

/** The number of the cluster that a launch executes. */
function numberOf({ executed = [[0, 0, 0]] }: Launch, { across }: Classes): number {
  const [x, y, z] = executed[0]!;
  return x + across[0] * (y + across[1] * z);
}

/** All that runs of a cluster rest on. */
function allOf({ decided }: RunsOf): [BlockDecision[], boolean] {
  return [decided.flatMap(({ list }) => list), decided.every(({ isFull }) => !isFull)];
}

/** The classes of the clusters of a launch; `first` grows while the first one is checked. */
export function classesOf(
  kernelIn: KernelIn,
  launch: Launch,
  run: ExecutedRun,
  first: RunsOf,
  computeAll: () => void,
): BlockClasses {
  let isLate = (): boolean => false;
  const assumptions: ReferenceAssumption[] = [];
  let classes = new Classes(launch, () => isLate());
  let all: ClassTouches[] = [];
  const add = (cluster: number, runs: RunsOf): void => {
    const [decisions, isComplete] = allOf(runs);
    // What a cluster is handed out beside its own blocks is not for others.
    const isHanded = all.length === 0 && takesBlocks(run);
    const own = ownTouch(runs.touched);
    classes.add(cluster, decisions, isComplete && !isHanded && own === undefined);
    if (own !== undefined) classes.parting = { at: own.at, cluster };
    all.push({ number: all.length + 1, cluster, runs: runs.touched });
  };
  type Others = Generator<ExecutedBlocks, PlacedText | null, boolean>;
  function* others(isOver: () => boolean): Others {
    isLate = isOver;
    add(numberOf(launch, classes), first);
    try {
      return yield* beside(isOver);
    } catch (error) {
      if (!(error instanceof ValuesNeeded)) throw error;
    }
    computeAll();
    classes = new Classes(launch, isOver);
    all = [];
    yield* execute(numberOf(launch, classes));
    return yield* beside(isOver);
  }
  function* execute(cluster: number): Generator<ExecutedBlocks, void, boolean> {
    const own: ClassRun = { places: [placeOf(cluster, classes.across)], decided: [], touched: [] };
    yield { kind: 'class', block: blockOf(cluster, classes, launch), kernel: kernelIn(own) };
    add(cluster, own);
  }
  function* beside(isOver: () => boolean): Others {
    for (let next = classes.next; next >= 0; next = classes.next) {
      if (isOver()) return { text: 'the time limit was reached' };
      const text = whyOpen(classes, launch);
      if (text !== null) return placedAt(run, classes, text);
      yield* execute(next);
    }
    const assume = (assumption: ReferenceAssumption): void => void assumptions.push(assumption);
    return yield* meetingsOf({ kernelIn, launch, run, classes, all, isOver, assume });
  }
  return {
    total: volume(launch.grid),
    clusterSize: volume(launch.cluster),
    others,
    assumptions,
    ranges: () => classes.sizes.map((_size, index) => classes.rangesOf(index)),
  };
}

/** Why the other clusters are in no class. */
function whyOpen(classes: Classes, launch: Launch): string | null {
  const what = volume(launch.cluster) === 1 ? 'blocks' : 'clusters';
  if (classes.isTooMuch) return `the ${what} of the grid are too many to compare`;
  if (classes.sizes.length < MAX_CLASSES) return null;
  return `${what} differ here: ${MAX_CLASSES} were executed, and others may do something else`;
}

function placedAt(run: ExecutedRun, { parting }: Classes, text: string): PlacedText {
  if (parting === null || parting.at < 0) return { text };
  return { text, position: positionOf(run.places(parting.at)) };
}
