// One execution of a cluster, or of all clusters of a grid: each warp has its turn until all have
// ended or none can go on.
import { grouped } from '@poundlock/core/internal/base';
import { volume } from '../../launch/launch.ts';
import type { Launch } from '../../launch/launch.ts';
import type { StepsBehind } from '../../steps/run.ts';
import type { PtxModule } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';
import type { Program } from '../warp/program.ts';
import { divide, force, runFibers } from '../warp/fibers.ts';
import { releaseTeams } from '../warp/team.ts';
import { Warp } from '../warp/warp.ts';
import type { Stop } from '../warp/warp.ts';
import { goAhead } from './ahead.ts';
import { NoCut, Question } from './cuts.ts';
import type { Cuts } from './cuts.ts';
import type { Answers } from '../../steps/decision.ts';
import { ctasOf, firstClusters } from './cta.ts';
import { Machine, Undecided, Unsupported } from './machine.ts';
import type { GridRun } from './machine.ts';
import { reachedBy, type Reached } from './loop-reached.ts';
import type { Observer } from './observer.ts';
import type { Compared } from '../footprints/own-meetings.ts';
import { layout } from './symbols.ts';

/** Instructions that a warp executes before the next one has its turn. */
const TURN = 4096;

const NOT_FREED = 'tensor memory that is allocated here is not freed before the kernel ends';
const MUST_BE_FREED =
  'a kernel deallocates all tensor memory that it has allocated before it exits';

/** Bounds of one execution. */
export interface RunBounds {
  /** The most instructions of all warps together. */
  readonly maxInstructions: number;
  /** Whether the run has to stop now. */
  readonly isOver: () => boolean;
  /** Whether boxes that the launch does not give may be taken from the expected bytes. */
  readonly assumeBoxes?: boolean;
  /**
   * What unknown data is taken to decide, for each execution anew; where it is missing, such a run
   * is undecided.
   */
  readonly answers?: () => Answers;
  /** Whether waits that could give up are taken not to. */
  readonly endsWaits?: boolean;
  /** Whether unknown data is asked for also where accesses or joins alone rest on it. */
  readonly isClose?: boolean;
  /** Warps that go as far as they can before the others do anything, by their numbers. */
  readonly early?: ReadonlySet<number>;
  /** Whether it is one of the other ways that unknown data may lead the first cluster. */
  readonly isWay?: boolean;
  /** Whether values that decide nothing may be left out. */
  readonly isSliced?: boolean;
  /** Whether all rounds of loops are executed. */
  readonly isUnrolled?: boolean;
  /** Which of the orders of the blocks it is; the first unless specified. */
  readonly order?: number;
  /** Follows executions of the first cluster, the last of which counts. */
  readonly observer?: Observer;
  /** Whether another one compares what its threads touch in global memory. */
  readonly isComparedElsewhere?: boolean;
  /** Whether warps that wait forever go on behind their waits, to explain why they do. */
  readonly isAhead?: boolean;
  /** What the clusters that are executed meet in, and is compared. */
  readonly compared?: Compared;
  /** Branches that stand for those of all blocks, whatever decides them. */
  readonly opened?: ReadonlySet<number> | undefined;
  /** Answers instead all warps at once, in a state of the whole run; for each execution anew. */
  readonly cuts?: () => Cuts;
}

/** A run that did not come to its end within its bounds. */
export class RunBoundError extends Error {
  /** Whether the time was up: with more time the same run comes further. */
  readonly isOfTime: boolean;
  /** Where it was then. */
  readonly reached: Reached | null;

  constructor(why: string, isOfTime: boolean, reached: Reached | null) {
    super(why);
    this.isOfTime = isOfTime;
    this.reached = reached;
  }
}

/** The machine and the warps of one execution. */
export interface Execution {
  readonly machine: Machine;
  readonly warps: readonly Warp[];
  /** What they would do behind waits that never end; `null` where that was not asked. */
  readonly ahead: ReadonlyMap<Warp, StepsBehind> | null;
}

/** What is executed, and what is known before it is. */
interface Extent {
  /** Tensor maps in memory that the kernel changes. */
  readonly maps?: Iterable<string>;
  /** All blocks of the grid; the first cluster alone where it is missing. */
  readonly grid?: GridRun | null;
  /** What is compared of global memory. */
  readonly compared?: Compared | null;
}

/** Loads of shared memory that find other values in other orders of the warps. */
interface Varying {
  readonly varying: ReadonlySet<number>;
}

/**
 * Executes the first cluster of a launch, or all clusters of its grid: again where a load of shared
 * memory was taken to find a value that another order of the warps changes.
 */
export function execute(
  module: PtxModule,
  program: Program,
  launch: Launch,
  bounds: RunBounds,
  extent: Extent = {},
): Execution {
  for (let varying: ReadonlySet<number> = new Set(); ;) {
    const execution = executeOnce(module, program, launch, bounds, { ...extent, varying });
    const { varying: found } = execution.machine.strongLoads;
    if (found.size === varying.size) return execution;
    varying = found;
  }
}

function executeOnce(
  module: PtxModule,
  program: Program,
  launch: Launch,
  bounds: RunBounds,
  { maps = [], grid = null, compared = null, varying }: Extent & Varying,
): Execution {
  const { code } = program;
  const variables = layout(module, code, launch.sharedBytes);
  const answers = bounds.answers?.() ?? null;
  const observer = observerOf(bounds, grid);
  observer?.begin();
  const machine = new Machine(
    module,
    program,
    variables,
    launch,
    answers,
    maps,
    grid,
    observer,
    compared,
    varying,
  );
  joinTouches(machine, observer);
  const threads = volume(launch.block);
  const warps: Warp[] = [];
  const places =
    grid === null && launch.executed !== undefined
      ? launch.executed
      : firstClusters(launch, grid?.clusters ?? 1);
  for (const cta of ctasOf(launch, places)) {
    for (let first = 0; first < threads; first += LANES)
      warps.push(new Warp(program, machine, cta, first / LANES, Math.min(LANES, threads - first)));
  }
  machine.warps = warps;
  try {
    machine.decisions.areCuts = bounds.cuts !== undefined;
    machine.blocks?.open(bounds.opened);
    machine.endsWaits = bounds.endsWaits === true;
    machine.decisions.isClose = bounds.isClose === true;
    schedule(machine, warps, bounds);
    if (bounds.isAhead === true) return { machine, warps, ahead: goAhead(machine, warps) };
    if (warps.every(({ stack }) => stack.depth === 0))
      for (const at of machine.tensorColumns.open())
        machine.misuse('tensor-memory', at, NOT_FREED, MUST_BE_FREED, null);
  } catch (error) {
    if (error instanceof Unsupported) machine.noteUndecided(Math.max(0, error.at), error.message);
    else if (!(error instanceof Undecided)) throw error;
  }
  return { machine, warps, ahead: null };
}

/** Touches become one, unless who follows the run asks for each. */
function joinTouches({ touches }: Machine, observer: Observer | null): void {
  if (observer === null) touches?.join();
}

/** Who follows the run; a grid's only if it is of grids. */
function observerOf({ observer }: RunBounds, grid: GridRun | null): Observer | null {
  return observer !== undefined && (grid === null || observer.isOfGrid === true) ? observer : null;
}

/** Gives each warp its turn until all have ended or none can go on. */
function schedule(machine: Machine, warps: readonly Warp[], bounds: RunBounds): void {
  const { maxInstructions, isOver, early } = bounds;
  const cuts = bounds.cuts?.();
  const isEarly = ({ number }: Warp): boolean => early?.has(number) !== false;
  const open = new Set([...warps.filter(isEarly), ...warps.filter((warp) => !isEarly(warp))]);
  const questions = new Map<Warp, Question>();
  const turn = (warp: Warp): Stop => {
    try {
      return runFibers(warp, isEarly(warp) ? TURN : 1);
    } catch (error) {
      if (!(error instanceof Question)) throw error;
      questions.set(warp, error);
      return 'blocked';
    }
  };
  let executed = 0;
  for (let isMoving = true; isMoving && open.size > 0;) {
    isMoving = false;
    for (const warp of open) {
      const before = warp.progress.executed;
      const steps = warp.steps.length;
      warp.turns.begin(++machine.turn);
      const stop = turn(warp);
      executed += warp.progress.executed - before;
      if (stop === 'ended') open.delete(warp);
      // A blocked warp executes the instruction that blocks it again: that is no progress.
      const areMany = warp.progress.executed - before > 1 && warp.apart.fibers.length === 0;
      warp.turns.end(stop !== 'blocked' || areMany || warp.steps.length > steps);
      isMoving ||= warp.turns.hasMoved || warp.turns.isYielding;
      if (executed > maxInstructions) {
        const why = `the run has not ended after ${grouped(maxInstructions)} instructions`;
        throw new RunBoundError(why, false, reachedBy(warps));
      }
      if (isOver()) {
        const why = `the time limit ended the run after ${grouped(executed)} instructions`;
        throw new RunBoundError(why, true, reachedBy(warps));
      }
    }
    isMoving ||= release(machine, open, questions, cuts);
  }
}

/** Lets warps go on where none can by itself; whether one does. */
function release(
  machine: Machine,
  open: ReadonlySet<Warp>,
  questions: Map<Warp, Question>,
  cuts: Cuts | undefined,
): boolean {
  if (releaseTeams(open)) return true;
  if (questions.size > 0) {
    if (questions.size < open.size) throw new NoCut('not all warps come to a question');
    cuts!.cut(machine, machine.warps, questions);
    questions.clear();
    return true;
  }
  if (machine.choices !== null) {
    const early = [...open].filter(({ turns }) => turns.isEarly).map(({ number }) => number);
    if (machine.choices.release(early)) return true;
  }
  // Lanes need not wait for others of their warp but where they join.
  let isMoving = false;
  for (const warp of open) isMoving = divide(warp) || isMoving;
  return isMoving || [...open].some(force);
}
