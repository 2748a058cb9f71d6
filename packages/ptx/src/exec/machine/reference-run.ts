// The reference run: all warps of the first cluster, executed together once.
import { syntaxOf } from '../../isa/describe.ts';
import { inlineCalls } from '../../flow/inline.ts';
import { takesPart } from '../grid/apart.ts';
import { copiesBetween } from '../grid/copies.ts';
import { markEqualStores } from '../footprints/equal-bulk.ts';
import type { OwnCase } from '../footprints/own-run.ts';
import { meetsInGlobal, withOwnMeetings } from '../footprints/own-run.ts';
import { pointersAt, unknownPlaces } from '../footprints/unknown-places.ts';
import { runGrid } from '../grid/grid-run.ts';
import type { GridOutcome } from '../grid/grid-run.ts';
import { NO_PLANS } from '../grid/word-plan.ts';
import type { WordPlans } from '../grid/word-plan.ts';
import { constancyOf } from '../footprints/constant-data.ts';
import { countersOf } from '../grid/counters.ts';
import { unfencedWrites } from '../grid/unfenced-writes.ts';
import { synchronizes } from '../../isa/questions.ts';
import { executedPlace } from '../../launch/launch.ts';
import type { Launch } from '../../launch/launch.ts';
import { placeOf } from '../../places/place.ts';
import type {
  Counted,
  Coverage,
  ExecutedRun,
  PlacedNote,
  RunFault,
  WarpSteps,
} from '../../steps/run.ts';
import { rankOf, STEPS_VERSION } from '../../steps/step.ts';
import type { Step } from '../../steps/step.ts';
import type { Instruction, PtxFunction, PtxModule } from '../../text/module.ts';
import { openText } from '../origins/open-text.ts';
import { Cause } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import { prepare } from '../warp/prepare.ts';
import { ActionKind } from '../warp/program.ts';
import type { Program } from '../warp/program.ts';
import { stuckOf } from '../warp/fibers.ts';
import { waitingAtExits } from '../warp/polling.ts';
import type { Warp } from '../warp/warp.ts';
import { entryRegisters, mostRegisters } from './entry-registers.ts';
import { incompletePhases } from './incomplete-phases.ts';
import { NoCut } from './cuts.ts';
import { limitsOf } from './limits.ts';
import { execute, RunBoundError } from './execute.ts';
import { withExits } from './exits.ts';
import type { Execution, RunBounds } from './execute.ts';
import type { Machine } from './machine.ts';
import { solveBoxes } from './solve-boxes.ts';
import { solveStoreBoxes } from './solve-store-boxes.ts';
import { withoutAddresses } from './unwritten.ts';

export type { RunBounds } from './execute.ts';

const NO_BOX = 'the launch does not give the box of the tensor map ("boxBytes")';
/** The text of the assumption that solved boxes are. */
const SOLVED =
  'the launch lacks boxes of tensor maps: those that fit the expected bytes hide every ' +
  'mistake about bytes';

/** Why boxes that the launch lacks are an assumption, or leave the run undecided. */
function boxText(solved: ReadonlyMap<string, number>, areAssumed: boolean): string {
  if (solved.size === 0) return NO_BOX;
  return areAssumed ? SOLVED : `${SOLVED}; give them ("boxBytes"), or --assume boxes`;
}

/** What a verdict about the first cluster assumes where blocks communicate. */
const ONE_CLUSTER =
  'nothing goes wrong between the blocks of the grid, of which only the first cluster is executed';

/** Programs of functions, by what global memory is to them. */
const programs = new WeakMap<PtxFunction, Map<string, Program>>();

/** The program of a kernel, which all of its runs share. */
function programOf(
  module: PtxModule,
  entry: PtxFunction,
  { earlier }: Launch,
  bounds: RunBounds,
  isCompared: boolean,
): Program {
  let known = programs.get(entry);
  if (known === undefined) programs.set(entry, (known = new Map()));
  // What clusters store that meet is compared by its values.
  const isSliced = bounds.isSliced === true && bounds.compared === undefined;
  const { isUnrolled = false } = bounds;
  const use = { isFollowing: earlier.length > 0, isCompared, isSliced, isUnrolled };
  const key = JSON.stringify(use);
  let program = known.get(key);
  if (program === undefined) {
    program = prepare(inlineCalls(module, entry), module.file, use);
    known.set(key, program);
  }
  return program;
}

/** Executes the first cluster; its run may show maps and boxes that the launch leaves out. */
function executeFirst(module: PtxModule, program: Program, launch: Launch, bounds: RunBounds) {
  const { compared = null } = bounds;
  let execution = execute(module, program, launch, bounds, { compared });
  // Stores to a map may come before the instruction that shows that it is one.
  const { late: maps } = execution.machine.tensorMaps;
  if (maps.size > 0) execution = execute(module, program, launch, bounds, { maps, compared });
  const { faults, unsizedCopies } = execution.machine;
  // What is certain without the boxes of maps stays so.
  const certain = faults.filter((fault) => fault.certain !== undefined);
  const { unsizedStores } = execution.machine;
  const unsized = unsizedCopies.find(({ isReadable }) => isReadable) ?? unsizedStores[0];
  const none: ReadonlyMap<string, number> = new Map();
  const first = { execution, launch, solved: none, maps, certain, unsized };
  if (unsized === undefined && unsizedCopies.length === 0) return first;
  if (bounds.cuts !== undefined) throw new NoCut('boxes of tensor maps are missing');
  const solved = new Map(first.solved);
  let sized = launch;
  const solve = (boxes: ReadonlyMap<string, number>): void => {
    if (boxes.size === 0) return;
    for (const [map, bytes] of boxes) solved.set(map, bytes);
    sized = withBoxes(launch, solved);
    execution = execute(module, program, sized, bounds, { maps, compared });
  };
  const steps = (): Step[] => execution.warps.flatMap((warp) => warp.steps);
  solve(solveBoxes(unsizedCopies, steps()) ?? first.solved);
  // What is stored is known once all loads are.
  const { unsizedStores: stores, unsizedCopies: loads, variables } = execution.machine;
  if (stores.length > 0 && loads.length === 0) solve(solveStoreBoxes(stores, steps(), variables));
  if (solved.size === 0) return first;
  return { ...first, execution, launch: sized, solved };
}

/** The same where an observer gives up in a run that does not count: threads meet in it. */
function executeObserved(
  module: PtxModule,
  program: Program,
  launch: Launch,
  bounds: RunBounds,
): ReturnType<typeof executeFirst> {
  try {
    return executeFirst(module, program, launch, bounds);
  } catch (error) {
    const { observer, ...unobserved } = bounds;
    if (observer === undefined || error instanceof RunBoundError) throw error;
    const first = executeFirst(module, program, launch, unobserved);
    if (bounds.isComparedElsewhere === true || !meetsInGlobal(first.execution)) throw error;
    return first;
  }
}

/** What each warp did, and where it got stuck. */
function stepsOf({ machine, warps, ahead }: Execution): WarpSteps[] {
  return warps.map((warp) => ({
    cta: warp.cta.rank,
    warp: warp.index,
    threads: Math.min(LANES, machine.threads - warp.index * LANES),
    steps: warp.steps,
    stuck: stuckOf(warp),
    behind: ahead?.get(warp) ?? null,
  }));
}

/** Executes the first cluster of a launch. */
export function referenceRun(
  module: PtxModule,
  entry: PtxFunction,
  launch: Launch,
  bounds: RunBounds,
): ExecutedRun {
  const isTogether = bounds.compared !== undefined;
  const program = programOf(module, entry, launch, bounds, isTogether);
  const { code } = program;
  const first = executeObserved(module, program, launch, bounds);
  const compared = (): Program => programOf(module, entry, launch, bounds, true);
  const grid = withBlocks(first, module, code, compared, bounds);
  const { machine, warps } = grid.execution;
  const exits = withExits(stepsOf(grid.execution), code.instructions);
  const read = withoutAddresses(code, machine, exits.warps);
  const registers = entryRegisters(code, launch);
  const counters = countersOf(machine, launch, grid.plans, module.target);
  const { certain, solved } = first;
  const { areAssumed, notes: boxes } = boxesOf(first, bounds);
  return {
    version: STEPS_VERSION,
    kernel: entry.name,
    ptx: module.version,
    ctas: machine.ctas,
    clusterSize: machine.clusterSize,
    registers,
    mostRegisters: mostRegisters(code, launch),
    ...read,
    places: (at) => placeOf(module, code.instructions[at]!),
    effectOf: (at) => code.instructions[at]?.effect ?? null,
    variables: machine.variables,
    nameOf: machine.nameOf,
    assumptions: [
      ...machine.assumptions,
      ...exits.assumptions,
      ...unfencedWrites(code, exits.warps, counters),
      ...incompletePhases(exits.warps, code.instructions),
      ...(areAssumed ? boxes : []),
      ...limitsOf(code, machine.reached, launch, registers),
    ],
    faults: [...certain, ...machine.faults.filter((fault) => !certain.some(isSame(fault)))],
    blocks: machine.blocks,
    ...touchedIn(machine),
    ...leftOpenIn(machine),
    openFences: openFencesIn(machine),
    waiting: waitingAtExits(warps),
    place: executedPlace(launch),
    orders: grid.orders,
    ...(machine.choices === null || machine.choices.older === null
      ? {}
      : { older: machine.choices.older }),
    solvedBoxes: solved,
    counts: countsOf(machine, warps),
    counters,
    earlier: machine.earlier,
    global: machine.places,
    undecided: [...grid.reasons, ...machine.undecidedReasons, ...(areAssumed ? [] : boxes)],
    coverage: coverageOf(program, machine.reached),
  };
}

/** What a run touches of global memory, and what it may meet at unknown addresses. */
function touchedIn(machine: Machine): Pick<ExecutedRun, 'touches' | 'unknownAmong' | 'pointersOf'> {
  // Nothing else of the machine is kept.
  const { touches, program, launch } = machine;
  const unknownAmong: ExecutedRun['unknownAmong'] = (all) =>
    unknownPlaces(all, { program, launch }).meeting.map(({ at }) => at);
  const pointersOf: ExecutedRun['pointersOf'] = (at) => pointersAt(at, { program, launch });
  return { touches, unknownAmong, pointersOf };
}

/** What the launch leaves open in a run, and how it was answered. */
function leftOpenIn({
  decisions: { list, open },
  doubts,
  program,
  launch,
}: Machine): Pick<ExecutedRun, 'decisions' | 'open' | 'doubts' | 'constancy'> {
  const isOfData = list.some(({ subject: { bits } }) => (bits & Cause.data) !== 0);
  const constancy = isOfData ? constancyOf({ program, launch }) : 'open';
  return { decisions: list, open, doubts, constancy };
}

/** The fences of which something decides whether they are executed. */
function openFencesIn({ doubts, program }: Machine): PlacedNote[] {
  return [...doubts].flatMap(([at, causes]) => {
    const isFence = program.code.instructions[at]?.effect.kind === 'fence';
    return isFence ? [{ at, text: openText(causes, 'whether this fence is executed') }] : [];
  });
}

/** What the run says of boxes that the launch lacks, and whether that is assumed. */
function boxesOf({ solved, unsized }: ReturnType<typeof executeFirst>, bounds: RunBounds) {
  const areAssumed = solved.size > 0 && bounds.assumeBoxes === true;
  if (unsized === undefined) return { areAssumed, notes: [] };
  const note = { name: 'boxes' as const, at: unsized.at, text: boxText(solved, areAssumed) };
  return { areAssumed, notes: [note] };
}

/** Whether another fault is the same mistake at the same place. */
function isSame({ at, text }: RunFault): (other: RunFault) => boolean {
  return (other) => other.at === at && other.text === text;
}

const SAME_MAPS = 'what data decides changes no tensor map in global memory';

/** What a run cannot know of tensor maps that the kernel changes. */
function assumeMaps({ machine, warps }: Execution): void {
  const isChange = (step: Step): boolean => step.op === 'map' && step.writes.length > 0;
  const [change] = warps.flatMap(({ steps }) => steps.find(isChange) ?? []);
  if (change === undefined) return;
  machine.assume(change.at, 'tensormap-data', SAME_MAPS);
  const [use] = machine.tensorMaps.unknownUses;
  if (use !== undefined)
    machine.noteUndecided(use, 'the kernel changes tensor maps, and which one this is is unknown');
}

/** The run that stands for the kernel. */
interface Chosen {
  readonly execution: Execution;
  readonly plans: WordPlans;
  /** Why the run of all blocks does not, where that of the first cluster does not either. */
  readonly reasons: readonly PlacedNote[];
  readonly orders: number;
  /** Why all blocks were not executed, where the first cluster stands for them. */
  readonly others?: PlacedNote;
}

/** The run of all blocks where they communicate; else that of the first cluster. */
function withBlocks(
  { execution, launch, maps }: ReturnType<typeof executeFirst>,
  module: PtxModule,
  code: PtxFunction,
  compared: () => Program,
  bounds: RunBounds,
): Chosen {
  assumeMaps(execution);
  const isCut = bounds.cuts !== undefined;
  if (bounds.compared !== undefined) {
    markEqualStores(execution.machine.bulkStores);
    return { execution, plans: NO_PLANS, reasons: [], orders: 1 };
  }
  const grid = isCut ? null : runGrid({ module, code, launch, bounds, maps }, execution.machine);
  const run = chosen(execution, code, grid);
  if (isCut && meetsInGlobal(execution)) throw new NoCut('threads meet in global memory');
  if (isCut) return run;
  if (run.execution === execution) {
    if (bounds.isComparedElsewhere === true) return assumingOthers(run);
    const own = (): OwnCase => ({ module, program: compared(), launch, bounds, maps });
    const met = withOwnMeetings(execution, own);
    if (met !== execution) assumeMaps(met);
    return assumingOthers({ ...run, execution: met });
  }
  assumeMaps(run.execution);
  const { machine } = run.execution;
  const copies = copiesBetween(code, machine);
  if (copies !== null) machine.assume(copies.at, 'disjoint-data', copies.text);
  return run;
}

/** Says what is assumed of blocks that were not executed. */
function assumingOthers(run: Chosen): Chosen {
  const { execution, others } = run;
  if (others !== undefined)
    execution.machine.assume(others.at, 'other-blocks', `${ONE_CLUSTER}: ${others.text}`);
  return run;
}

/** What all blocks did, if that is known; else what those of the first cluster did. */
function chosen(first: Execution, code: PtxFunction, grid: GridOutcome | null): Chosen {
  if (grid === null) return { execution: first, plans: NO_PLANS, reasons: [], orders: 1 };
  const { execution, plans, reason, orders } = grid;
  const open = reason ?? execution?.machine.undecidedReasons[0];
  if (execution !== null && open === undefined) return { execution, plans, reasons: [], orders };
  const { at, text } = open!;
  const { machine } = first;
  const isDecided = machine.undecidedReasons.length === 0;
  // What blocks do with each other is not understood, or they wait for each other.
  const isTogether = grid.isOfLaunch !== true && execution?.machine.words?.isTooMuch !== true;
  const isShared = ({ index, operands }: Instruction): boolean => {
    const address = operands.find(({ kind }) => kind === 'address');
    return address !== undefined && machine.isDerivedFromShared(index, address);
  };
  const { reached } = machine;
  if (isDecided && (isTogether || takesPart(code, { reached, isShared })))
    return { execution: first, plans: NO_PLANS, reasons: [{ at, text }], orders: 1 };
  // Why a launch names what its first block draws is no reason that the first block is undecided.
  const hasAnswers = machine.launch.atomicAnswers.length > 0;
  const reasons = isDecided || hasAnswers ? [] : [{ at, text }];
  const others = isDecided ? { others: { at, text } } : {};
  return { execution: first, plans: NO_PLANS, reasons, orders: 1, ...others };
}

/** The counts that a last thread is found by: additions of single lanes to a known value. */
function countsOf(machine: Machine, warps: readonly Warp[]): Map<number, Counted> {
  const found = new Map<number, Counted>();
  for (const { steps } of warps)
    for (const step of steps) {
      if (step.op !== 'last') continue;
      const { word, initial } = machine.memory.counters.count(step.count);
      if (initial !== null) found.set(step.count, { word, initial });
      else machine.noteUndecided(step.at, 'unknown data decides which thread is the last');
    }
  if (found.size === 0) return found;
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

function coverageOf({ code, kinds }: Program, reached: Uint8Array): Coverage {
  const synchronizing = code.instructions.filter(
    (each) => kinds[each.index] === ActionKind.visible && synchronizes(each),
  );
  return {
    reached,
    synchronizing: synchronizing.map(({ index }) => index),
    formOf: (at) => {
      const { form, unmodeled } = code.instructions[at]!;
      return { form: syntaxOf(form), status: unmodeled === null ? form.status : 'unmodeled' };
    },
  };
}
