// Clusters of a grid that are executed instead of the first one, and what their runs show.
import type { AloneBlocks, Block, Kernel } from '@poundlock/core/internal/program';
import { placeOf } from '../exec/origins/classes.ts';
import type { Classes } from '../exec/origins/classes.ts';
import type { Effect } from '../isa/effect.ts';
import type { Dimensions, Launch } from '../launch/launch.ts';
import type { NotedDecisions } from '../steps/block-decision.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { NotedTouches } from '../steps/touches.ts';

/** What runs of a cluster rest on, and what they touch; each run adds its own. */
export interface RunsOf {
  readonly decided: NotedDecisions[];
  readonly touched: NotedTouches[];
}

/** Clusters that are executed instead of the first one. */
export interface ClassRun extends RunsOf {
  readonly places: readonly Dimensions[];
  /** The blocks that were asked for; missing where all are meant. */
  readonly alone?: AloneBlocks;
  /** Branches that stand for those of all blocks, whatever decides them. */
  readonly opened?: ReadonlySet<number>;
}

/** The first block of a cluster. */
export function blockOf(cluster: number, { across }: Classes, launch: Launch): Block {
  const [x, y, z] = placeOf(cluster, across);
  return [x * launch.cluster[0], y * launch.cluster[1], z * launch.cluster[2]];
}

/** A kernel for clusters of a launch. */
export type KernelIn = (clusters: ClassRun) => Kernel;

/** Whether an instruction that a run reached has an effect of a kind. */
export function reaches(
  { coverage: { reached }, effectOf }: ExecutedRun,
  isOf: (effect: Effect) => boolean,
): boolean {
  return reached.some((flag, at) => flag === 1 && isOf(effectOf(at)!));
}

/** Whether a run asks for blocks that have not begun. */
export function takesBlocks(run: ExecutedRun): boolean {
  return reaches(run, ({ kind }) => kind === 'launch control');
}

/** The launch with clusters that are executed instead of the first one, as which none is asked. */
export function inClusters(launch: Launch, { places }: ClassRun): Launch {
  const isFirst = places.some((place) => place.every((each) => each === 0));
  const executed = { ...launch, executed: places };
  return isFirst ? executed : { ...executed, clusterLaunchControl: [] };
}
