// The reference run: all warps of the first cluster, executed together once.
import { inlineCalls } from '../flow/inline.ts';
import { volume } from '../launch/launch.ts';
import type { Launch } from '../launch/launch.ts';
import { placeOf } from '../places/place.ts';
import type { Assumption, Counted, Coverage, ExecutedRun } from '../steps/run.ts';
import { rankOf, STEPS_VERSION } from '../steps/step.ts';
import type { PtxFunction, PtxModule } from '../text/module.ts';
import { LANES } from '../values/register-file.ts';
import { prepare } from '../warp/prepare.ts';
import { ActionKind } from '../warp/program.ts';
import type { Program } from '../warp/program.ts';
import { divide, force, runFibers, stuckOf } from '../warp/fibers.ts';
import { Warp } from '../warp/warp.ts';
import type { Answers } from './decisions.ts';
import { limitsOf } from './limits.ts';
import { clusterOf } from './cta.ts';
import { Machine, Undecided, Unsupported } from './machine.ts';
import { solveBoxes } from './solve-boxes.ts';
import { layout } from './symbols.ts';

/** Instructions that a warp executes before the next one has its turn. */
const TURN = 4096;

/** Bounds of a reference run. */
export interface RunBounds {
  /** The most instructions of all warps together. */
  readonly maxInstructions: number;
  /** Whether the run has to stop now. */
  readonly isOver: () => boolean;
  /** Whether boxes that the launch does not give may be taken from the expected bytes. */
  readonly assumeBoxes?: boolean;
  /** What unknown data is taken to decide; where it is missing, such a run is undecided. */
  readonly answers?: Answers;
}

/** A run that did not come to its end within its bounds. */
export class RunBoundError extends Error {}

/** The machine and the warps of one execution. */
interface Execution {
  readonly machine: Machine;
  readonly warps: readonly Warp[];
}

/** The text of the assumption that solved boxes are. */
const SOLVED =
  'the launch lacks boxes of tensor maps: those that fit the expected bytes hide every ' +
  'mistake about bytes';

/** Executes the first cluster of a launch. */
export function referenceRun(
  module: PtxModule,
  entry: PtxFunction,
  launch: Launch,
  bounds: RunBounds,
): ExecutedRun {
  const code = inlineCalls(module, entry);
  const program = prepare(code, module.file);
  const threads = volume(launch.block);
  let { machine, warps } = execute(module, program, launch, bounds);
  // Stores to a map may come before the instruction that shows that it is one.
  const { late } = machine.tensorMaps;
  if (late.size > 0) ({ machine, warps } = execute(module, program, launch, bounds, late));
  const unsized = machine.unsizedCopies.find(({ isReadable }) => isReadable);
  let solved: ReadonlyMap<string, number> = new Map();
  if (machine.unsizedCopies.length > 0) {
    solved =
      solveBoxes(
        machine.unsizedCopies,
        warps.flatMap(({ steps }) => steps),
      ) ?? solved;
    if (solved.size > 0)
      ({ machine, warps } = execute(module, program, withBoxes(launch, solved), bounds, late));
  }
  assumeMaps(machine, warps);
  const boxes: Assumption[] = [];
  if (unsized !== undefined && solved.size === 0)
    boxes.push({ at: unsized.at, text: 'the launch does not give the box of the tensor map' });
  else if (unsized !== undefined) boxes.push({ at: unsized.at, text: SOLVED });
  const counts = countsOf(machine, warps);
  const areAssumed = solved.size > 0 && bounds.assumeBoxes === true;
  return {
    version: STEPS_VERSION,
    kernel: entry.name,
    ptx: module.version,
    ctas: machine.ctas,
    warps: warps.map((warp) => ({
      cta: warp.cta.rank,
      warp: warp.index,
      threads: Math.min(LANES, threads - warp.index * LANES),
      steps: warp.steps,
      stuck: stuckOf(warp),
    })),
    places: (at) => placeOf(module, code.instructions[at]!),
    variables: machine.variables,
    nameOf: machine.nameOf,
    assumptions: [
      ...machine.assumptions,
      ...(areAssumed ? boxes : []),
      ...limitsOf(code, machine.reached),
    ],
    faults: machine.faults,
    decisions: machine.decisions.list,
    solvedBoxes: solved,
    counts,
    undecided: areAssumed ? machine.undecidedReasons : [...machine.undecidedReasons, ...boxes],
    coverage: coverageOf(program, machine.reached),
  };
}

/** What a run cannot know of tensor maps that the kernel changes. */
function assumeMaps(machine: Machine, warps: readonly Warp[]): void {
  const change = warps
    .flatMap(({ steps }) => steps)
    .find((step) => step.op === 'map' && step.writes.length > 0);
  if (change === undefined) return;
  machine.assume(change.at, 'what data decides changes no tensor map in global memory');
  const [use] = machine.tensorMaps.unknownUses;
  if (use !== undefined)
    machine.noteUndecided(use, 'the kernel changes tensor maps, and which one this is is unknown');
}

/** The counts that a last thread is found by: additions of single lanes to a known value. */
function countsOf(machine: Machine, warps: readonly Warp[]): Map<number, Counted> {
  const found = new Map<number, Counted>();
  for (const step of warps.flatMap(({ steps }) => steps)) {
    if (step.op !== 'last') continue;
    const { word, initial } = machine.memory.counters.count(step.count);
    if (initial !== null) found.set(step.count, { word, initial });
    else machine.noteUndecided(step.at, 'unknown data decides which thread is the last');
  }
  // A cell belongs to one CTA, whose warps alone may add to it.
  for (const { cta, steps } of warps)
    for (const step of steps) {
      const count = step.op === 'access' ? step.adds?.count : undefined;
      const word = count === undefined ? undefined : found.get(count)?.word;
      if (word !== undefined && rankOf(word) !== cta.rank)
        machine.noteUndecided(step.at, 'warps of several CTAs add to the word of the last thread');
    }
  return found;
}

/** The launch with boxes for maps that it says nothing about. */
function withBoxes(launch: Launch, boxes: ReadonlyMap<string, number>): Launch {
  const solved = [...boxes].map(([map, boxBytes]) => [map, { boxBytes }] as const);
  return {
    ...launch,
    tensorMaps: new Map([...launch.tensorMaps, ...solved]),
    areBoxesSolved: true,
  };
}

function execute(
  module: PtxModule,
  program: Program,
  launch: Launch,
  bounds: RunBounds,
  maps: Iterable<string> = [],
): Execution {
  const { code } = program;
  const answers = bounds.answers ?? null;
  const places = layout(module, code, launch.sharedBytes);
  const machine = new Machine(module, program, places, launch, answers, maps);
  const threads = volume(launch.block);
  const warps: Warp[] = [];
  for (const cta of clusterOf(launch.cluster)) {
    for (let first = 0; first < threads; first += LANES)
      warps.push(new Warp(program, machine, cta, first / LANES, Math.min(LANES, threads - first)));
  }
  try {
    schedule(warps, bounds);
    if (warps.every(({ stack }) => stack.depth === 0))
      for (const at of machine.tensorColumns.open())
        machine.fault('tensor-memory', at, 'tensor memory is not freed before the kernel ends');
  } catch (error) {
    if (error instanceof Unsupported) machine.noteUndecided(Math.max(0, error.at), error.message);
    else if (!(error instanceof Undecided)) throw error;
  }
  return { machine, warps };
}

/** Gives each warp its turn until all have ended or none can go on. */
function schedule(warps: readonly Warp[], { maxInstructions, isOver }: RunBounds): void {
  const open = new Set(warps);
  let executed = 0;
  for (let isMoving = true; isMoving && open.size > 0;) {
    isMoving = false;
    for (const warp of open) {
      const before = warp.executed;
      const steps = warp.steps.length;
      const stop = runFibers(warp, TURN);
      executed += warp.executed - before;
      if (stop === 'ended') open.delete(warp);
      // A blocked warp executes the instruction that blocks it again: that is no progress.
      const areMany = warp.executed - before > 1 && warp.fibers.length === 0;
      isMoving ||= stop !== 'blocked' || areMany || warp.steps.length > steps;
      if (executed > maxInstructions)
        throw new RunBoundError(`the run executes more than ${maxInstructions} instructions`);
      if (isOver()) throw new RunBoundError('the time limit ended the run');
    }
    // Lanes need not wait for others of their warp but where they join.
    if (!isMoving) for (const warp of open) isMoving = divide(warp) || isMoving;
    if (!isMoving) isMoving = [...open].some(force);
  }
}

/** Mnemonics of instructions that synchronize or start asynchronous work. */
const SYNCHRONIZING = new Set([
  'bar',
  'barrier',
  'mbarrier',
  'cp',
  'wgmma',
  'tcgen05',
  'fence',
  'clusterlaunchcontrol',
]);

function coverageOf({ code, kinds }: Program, reached: Uint8Array): Coverage {
  const synchronizing = code.instructions.filter(
    ({ index, parts }) => SYNCHRONIZING.has(parts[0]!) && kinds[index] === ActionKind.visible,
  );
  return { reached, synchronizing: synchronizing.map(({ index }) => index) };
}
