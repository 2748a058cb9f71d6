// A kernel as built: its PTX and its launch as a kernel that the engines check.
import '../own-folder.ts';
import {
  formatPosition,
  InputError,
  option,
  optionTable,
  requireOptions,
} from '@poundlock/core/internal/base';
import type { OptionsOf } from '@poundlock/core/internal/base';
import { builtKernel } from './built-kernel.ts';
import type {
  ArrivalsOfText,
  Block,
  Kernel,
  KernelReference,
  OtherLaunch,
  OtherWay,
  Periods,
  PlacedText,
  SharedUse,
  Timing,
} from '@poundlock/core/internal/program';
import type { Parameters } from '@poundlock/core/internal/finding';
import { classesOf } from './block-classes.ts';
import { comparedNumbers } from './compared-numbers.ts';
import { findEntry, withSources } from './entry.ts';
import { inClusters } from './executed-clusters.ts';
import type { ClassRun, RunsOf } from './executed-clusters.ts';
import { aloneIn } from './alone-blocks.ts';
import type { Dimensions, Launch } from '../launch/launch.ts';
import { requireLegal } from '../launch/legal.ts';
import { readLaunchFile } from '../launch/read-launch.ts';
import type { LaunchFile } from '../launch/read-launch.ts';
import { allowedValues, namedScalars, offsetOf } from '../launch/scalars.ts';
import { periodicRolesOf, rolesOf } from '../lower/kernel.ts';
import type { MakeRoles } from '../lower/kernel.ts';
import { withBehind } from '../lanes/behind.ts';
import { allowedBranches } from '../infer/allowed-branches.ts';
import { inStrands } from '../lanes/strands.ts';
import { withoutDoubt } from '../lower/doubt.ts';
import { lowerRun } from '../lower/roles.ts';
import type { Plan } from '../lower/plan.ts';
import { clusterMeetings } from '../exec/footprints/own-meetings.ts';
import type { Compared } from '../exec/footprints/own-meetings.ts';
import { RunBoundError } from '../exec/machine/execute.ts';
import type { RunBounds } from '../exec/machine/execute.ts';
import { referenceRun } from '../exec/machine/reference-run.ts';
import { computeAll, withNeeded } from './left-out.ts';
import type { Observer } from '../exec/machine/observer.ts';
import { SkippedArrivals } from '../exec/machine/skipped-arrivals.ts';
import { readableName } from '../text/names.ts';
import { findBlocks, findPeriods } from '../loops/find-period.ts';
import type { Sized } from '../loops/find-period.ts';
import type { Unproved } from '../loops/prove-period.ts';
import { positionOf } from '../places/place.ts';
import { referenceOf } from './reference.ts';
import { othersOf } from './run-ways.ts';
import { sharedUse } from './shared-use.ts';
import { RunCache } from './run-cache.ts';
import { ArrivalsOfRun } from './text-arrivals.ts';
import { endedBy, isPatient, openOf, otherOrders, patient, waysOf } from './other-runs.ts';
import type { CountedRun } from './run-cache.ts';
import type { ExecutedRun, ReferenceRun } from '../steps/run.ts';
import { writeSteps } from '../steps/write-steps.ts';
import { layout, SYSTEM_BYTES } from '../exec/machine/symbols.ts';
import { withTickets } from '../timing/tickets.ts';
import { timedRoles } from '../timing/timed-kernel.ts';
import type { TimedLaunch } from '../timing/timed-kernel.ts';
import type { InstructionCosts } from '../timing/instruction-times.ts';
import { inlineCalls } from '../flow/inline.ts';
import { parsePtx } from '../text/parse.ts';
import { remarksOf } from '../text/remarks.ts';
import type { PtxFunction, PtxModule } from '../text/module.ts';
import { FIRST } from '../paths/answers.ts';

export const SOURCE_TEXT = optionTable({
  /** The name that messages and findings show. */
  file: option.text,
  /** The text itself. */
  text: option.text,
});

/** A text with the name of its file, for messages and findings. */
export interface SourceText extends OptionsOf<typeof SOURCE_TEXT, 'file' | 'text'> {}

const PTX_KERNEL = optionTable({
  /** The PTX text. */
  ptx: option.checkedLater<SourceText>(),
  /** The launch file: recorded, or written by hand. */
  launch: option.checkedLater<SourceText>(),
  /** The kernel, by its name or a part of it; needed where the PTX has several. */
  entry: option.text,
  /**
   * Which of the launches in the file, from 0. Unless specified, it is the first one, and `check`
   * tries the others beside it.
   */
  launchIndex: option.amount,
  /** Files with other launches of the kernel, which `check` tries beside the first one. */
  otherLaunches: option.checkedLater<readonly SourceText[]>(),
  /**
   * Blocks whose clusters are executed alone, as `[x, y, z]`: one, or two that meet in global
   * memory. Nothing is said of others.
   */
  blocks: option.checkedLater<readonly Block[]>(),
  /** The most instructions that all warps execute together; 50 million unless specified. */
  maxInstructions: option.amount,
  /** Whether boxes of tensor maps that the launch leaves out may be solved from expected bytes. */
  assumeBoxes: option.flag,
  /** Finds the files that the line information names; they are shown as named unless specified. */
  resolveSource: option.callable<(file: string) => string>(),
  /** Called between turns of the warps; `true` ends the run. */
  shouldStop: option.callable<() => boolean>(),
});

/** Options of {@link ptxKernel}. */
export interface PtxKernelOptions extends OptionsOf<typeof PTX_KERNEL, 'ptx' | 'launch'> {}

/** The most instructions of a run, unless specified. */
export const MAX_INSTRUCTIONS = 50_000_000;

/** The run of one set of parameters. */
interface Prepared extends CountedRun {
  readonly makeRoles: MakeRoles;
  /** Its plan; `null` where a bound ended it. */
  readonly sized: Sized | null;
  readonly reference: KernelReference;
}

/**
 * Turns a PTX text and a launch into a kernel. Its parameters are the named numbers of the launch.
 *
 * The first cluster of the grid is executed once, with concrete integers and addresses; each warp
 * becomes a role that performs the operations of its warp, and `check` proves that these are the
 * operations in every interleaving.
 *
 * @throws InputError with the place for a text, a launch or an instruction that cannot be used.
 *
 * @example
 * import { check } from 'poundlock/check';
 * import { ptxKernel } from 'poundlock/ptx';
 *
 * const text = `.version 8.0
 * .target sm_90a
 * .address_size 64
 * .visible .entry meet() { bar.sync 0; ret; }`;
 * const launch = { grid: [1, 1, 1], block: [64, 1, 1], params: [] };
 * const kernel = ptxKernel({
 *   ptx: { file: 'meet.ptx', text },
 *   launch: { file: 'launch.json', text: JSON.stringify(launch) },
 * });
 * console.log((await check(kernel)).verdict); // certified
 */
export function ptxKernel(options: PtxKernelOptions): Kernel {
  requireOptions('ptxKernel()', PTX_KERNEL, options);
  const { ptx, launch, launchIndex = 0, otherLaunches = [] } = options;
  requireOptions('the ptx of ptxKernel()', SOURCE_TEXT, ptx);
  requireOptions('the launch of ptxKernel()', SOURCE_TEXT, launch);
  const module = withSources(parsePtx(ptx.text, ptx.file), options.resolveSource);
  const file = readLaunchFile(launch.text, launch.file);
  if (launchIndex < 0 || launchIndex >= file.count)
    throw new InputError(
      `${launch.file} has ${file.count} launches: there is no launch ${launchIndex}`,
    );
  const entry = findEntry(module, options.entry ?? file.kernel);
  requireLegal(module, entry, file.launch(launchIndex, entry, {}));
  const built = kernelOf(module, entry, file, options);
  function* launches(): Generator<OtherLaunch> {
    if (options.launchIndex !== undefined || options.blocks !== undefined) return;
    for (let index = 1; index < file.count; index++) yield otherLaunch(file, index, launch.file);
    for (const other of otherLaunches) {
      const read = readLaunchFile(other.text, other.file);
      if (findEntry(module, options.entry ?? read.kernel) !== entry) continue;
      for (let index = 0; index < read.count; index++) yield otherLaunch(read, index, other.file);
    }
  }
  const otherLaunch = (read: LaunchFile, index: number, name: string): OtherLaunch => ({
    file: name,
    index,
    kernel: kernelOf(module, entry, read, { ...options, launchIndex: index }),
  });
  const values = allowedValues(file, launchIndex, entry);
  const of = { file, index: launchIndex };
  const comparedWith = (name: string): readonly number[] =>
    comparedNumbers(module, entry, of, name);
  return { ...built, remarks: remarksOf(module), surroundings: { values, comparedWith, launches } };
}

/** The kernel as one launch starts it. */
export function kernelOf(
  module: PtxModule,
  entry: PtxFunction,
  file: LaunchFile,
  options: PtxKernelOptions,
  cluster?: ClassRun,
  isClose = false,
): Kernel {
  const defaults = namedScalars(file, options.launchIndex ?? 0, entry);
  const own = { module, entry, file, defaults, options, isClose };
  const executed = cluster ?? aloneIn(file, entry, options);
  const launched: Launched = executed === undefined ? own : { ...own, cluster: executed };
  const runs = new RunCache<Prepared>();
  const prepare: Prepare = (params, isOver) =>
    runs.of(
      JSON.stringify(params),
      () => prepareRun(launched, params, isOver),
      isOver !== undefined,
    );
  const built = builtKernel(readableName(entry.name), defaults, (params) =>
    prepare(params).makeRoles(),
  );
  return {
    ...built,
    position: undefined,
    reference: (params, isOver) => prepare(params, isOver).reference,
    timed: (costs) => timedKernel(launched, prepare, costs as unknown as InstructionCosts),
    runText: (params) => {
      const { sized, reference } = prepare(params);
      if (sized !== null) return writeSteps(patient(sized.run));
      const why = reference.undecided?.text ?? 'unknown data decides what the warps do';
      throw new InputError(`there are no steps: ${why}`);
    },
    periods: (every, params, isOver) => periodsOf(launched, prepare, every, params, isOver),
  };
}

/** A kernel and one of its launches. */
interface Launched {
  readonly module: PtxModule;
  readonly entry: PtxFunction;
  readonly file: LaunchFile;
  readonly defaults: Readonly<Record<string, number>>;
  readonly options: PtxKernelOptions;
  /** The cluster that is executed, where it stands for a class of them. */
  readonly cluster?: ClassRun;
  /** Whether questions about unknown data are asked also where accesses or joins rest on them. */
  readonly isClose: boolean;
}

type Prepare = (params: Parameters, isOver?: () => boolean) => Prepared;

/** The kernel with the times of its instructions on a GPU. */
function timedKernel(launched: Launched, prepare: Prepare, costs: InstructionCosts): Kernel {
  const known = new Map<string, ReturnType<typeof timedRoles>>();
  const roles = (params: Parameters): ReturnType<typeof timedRoles> => {
    const key = JSON.stringify(params);
    let found = known.get(key);
    if (found === undefined) {
      found = timedRoles(executionOf(launched, params, withTickets), costs);
      known.set(key, found);
    }
    return found;
  };
  const name = readableName(launched.entry.name);
  const timed = builtKernel(name, launched.defaults, (params) => {
    return (roles(params)?.makeRoles ?? prepare(params).makeRoles)();
  });
  return {
    ...timed,
    position: undefined,
    reference: (params: Parameters): KernelReference => prepare(params).reference,
    timing: (params: Parameters): Timing | null => roles(params)?.timing ?? null,
  };
}

/** The loops that the kernel executes as often as its parameter `every` says. */
function periodsOf(
  launched: Launched,
  prepare: Prepare,
  every: string,
  params: Parameters,
  isOver: () => boolean,
): Periods | null {
  const { entry, file, defaults, options } = launched;
  const isLate = (): boolean => isOver() || options.shouldStop?.() === true;
  const executions = {
    sized: (value: number) => sizedOf(prepare({ ...params, [every]: value })),
    trace: (value: number, observer: Observer) =>
      executionOf(launched, { ...params, [every]: value }).run(observer),
    offset: offsetOf(file, options.launchIndex ?? 0, entry, every),
  };
  const value = Number(params[every] ?? defaults[every]);
  const found = findPeriods(executions, isLate) ?? findBlocks(value, executions, isLate);
  if (found === null) return null;
  const places = found.plans[0]!.run.places;
  const unproved = found.unproved === null ? null : placedWhy(found.unproved, places);
  const name = readableName(entry.name);
  const kernels = found.plans.map(({ first, plan, run: counted }) => {
    const run = patient(counted);
    const makeRoles = periodicRolesOf(plan, run);
    const reference = referenceOf(run, plan.possible);
    const periodic = builtKernel(name, { periods: 1 }, ({ periods }) => makeRoles(periods));
    return { first, kernel: periodic, reference };
  });
  return { ...found, unproved, kernels };
}

/** Why a period is not proved, with its place. */
function placedWhy({ why, at }: Unproved, places: ReferenceRun['places']): PlacedText {
  if (at < 0) return { text: why };
  return { text: why, position: positionOf(places(at)) };
}

/** What explains why a run got stuck: the same run with what its warps would do then. */
function explainedBy(
  name: string,
  { warps, decisions, orders }: ExecutedRun,
  strands: ReferenceRun,
  runWith: (changed: Partial<RunBounds>) => ExecutedRun,
): Pick<KernelReference, 'ahead'> {
  const isStuck = warps.some(({ stuck }) => stuck !== null);
  if (!isStuck || decisions.length > 0 || orders > 1) return {};
  let known: Kernel | null = null;
  const find = (): Kernel | null => {
    try {
      const run = runWith({ answers: () => FIRST, isAhead: true });
      return builtKernel(name, {}, rolesOf(lowerRun(withBehind(strands, run)), run));
    } catch (error) {
      if (error instanceof RunBoundError) return null;
      throw error;
    }
  };
  return { ahead: () => (known ??= find()) };
}

/** What the text shows of arrivals that a run went past, for what it is lowered to. */
function withTextArrivals(
  { module, entry }: Launched,
  first: ExecutedRun,
  { strands, plan }: { readonly strands: ReferenceRun; readonly plan: Plan },
  runWith: (changed: Partial<RunBounds>) => ExecutedRun,
): Pick<KernelReference, 'arrivals'> {
  if (first.orders > 1) return {};
  let known: ArrivalsOfText | null | undefined;
  const find = (): ArrivalsOfText | null => {
    const observer = new SkippedArrivals((at) => formatPosition(positionOf(first.places(at))));
    try {
      const run = runWith({ answers: () => FIRST, observer });
      const followed = { run, events: observer.events, code: inlineCalls(module, entry) };
      return new ArrivalsOfRun(followed, strands.warps, plan.barriers);
    } catch (error) {
      if (error instanceof RunBoundError) return null;
      throw error;
    }
  };
  return { arrivals: () => (known === undefined ? (known = find()) : known) };
}

/** What a period is found in; `null` where the run stands for no launch. */
function sizedOf({ sized, reference }: Prepared): Sized | null {
  const isWrong = reference.faults.some(({ isOfIsa }) => isOfIsa !== true);
  return reference.undecided === null && !isWrong ? sized : null;
}

/** How the kernel is executed with parameters. */
function executionOf(
  { module, entry, file, defaults, options, cluster, isClose }: Launched,
  params: Parameters,
  changed: typeof withTickets = (launch) => launch,
): TimedLaunch & { readonly runWith: (changed: Partial<RunBounds>) => ExecutedRun } {
  const {
    launchIndex = 0,
    maxInstructions = MAX_INSTRUCTIONS,
    assumeBoxes = false,
    shouldStop = () => false,
  } = options;
  const overrides: Record<string, number> = {};
  for (const [name, value] of Object.entries(params))
    if (typeof value === 'number' && value !== defaults[name]) overrides[name] = value;
  const read = file.launch(launchIndex, entry, overrides);
  const { allowed } = read;
  const decided = allowed?.size ? { decided: allowedBranches(module, entry, allowed) } : {};
  const placed = cluster === undefined ? read : inClusters(read, cluster);
  const code = inlineCalls(module, entry);
  const launch = changed({ ...placed, ...decided }, code);
  const runWith = (bound: Partial<RunBounds>): ExecutedRun => {
    const own = { maxInstructions, assumeBoxes, isClose, opened: cluster?.opened };
    const bounds = { ...own, isOver: shouldStop, ...bound };
    const execute = (isSliced: boolean): ExecutedRun =>
      referenceRun(module, entry, launch, { ...bounds, isSliced });
    // An observer looks at all values.
    return bound.observer === undefined ? withNeeded(entry, execute) : execute(false);
  };
  const run = (observer: Observer): ExecutedRun => runWith({ answers: () => FIRST, observer });
  const runAt = (place: Dimensions, observer: Observer, isOver = shouldStop): ExecutedRun => {
    const bounds = { maxInstructions, assumeBoxes, isOver };
    const there = { ...launch, executed: [place] };
    return referenceRun(module, entry, there, { ...bounds, answers: () => FIRST, observer });
  };
  const sharedBytes = layout(module, code, launch.sharedBytes).sharedBytes - SYSTEM_BYTES;
  return { launch, code, sharedBytes, run, runAt, runWith };
}

/** The classes of blocks beside those that a run executed. */
function blocksOf(
  { module, entry, file, options, cluster }: Launched,
  launch: Launch,
  run: ExecutedRun,
  first: RunsOf,
): Pick<KernelReference, 'blocks' | 'alone'> {
  if (cluster?.alone !== undefined) return { alone: cluster.alone };
  if (run.blocks === null || cluster !== undefined) return {};
  const kernelIn = (own: ClassRun): Kernel => kernelOf(module, entry, file, options, own);
  const of = { kernelIn, launch, run, computeAll: () => computeAll(entry) };
  return { blocks: classesOf(of, first) };
}

/** The kernel with all questions asked, where a run leaves something open that they may decide. */
function closerOf(launched: Launched, run: ExecutedRun): Pick<KernelReference, 'closer'> {
  const { module, entry, file, options, cluster, isClose } = launched;
  const isOver = run.undecided.length > 0 && run.open !== 'tries';
  if (isClose || run.open === 'nothing' || isOver) return {};
  const kernel = (): Kernel => kernelOf(module, entry, file, options, cluster, true);
  return { closer: { kernel, hasJoins: run.open !== 'accesses' } };
}

/** The kernel without the accesses that unknown data decides, where there are any. */
function certainlyOf(name: string, plan: Plan, run: ExecutedRun): Pick<KernelReference, 'certain'> {
  if (plan.possible.size === 0) return {};
  return { certain: () => builtKernel(name, {}, rolesOf(withoutDoubt(plan), run)) };
}

/** What clusters that are executed together meet in; `null` where one is. */
function comparedIn(
  launched: Launched,
  params: Parameters,
  isOver: () => boolean,
): Compared | null {
  const places = launched.cluster?.places ?? [];
  if (places.length < 2) return null;
  const touches = places.flatMap((place) => {
    const cluster = { places: [place], decided: [], touched: [] };
    const { runWith } = executionOf({ ...launched, cluster }, params);
    return runWith({ answers: () => FIRST, isOver }).touches ?? [];
  });
  return clusterMeetings(touches, executionOf(launched, params).launch);
}

function prepareRun(launched: Launched, params: Parameters, isOver = () => false): Prepared {
  try {
    return preparedRun(launched, params, isOver);
  } catch (error) {
    const reference = endedBy(error, launched);
    const isCutShort = error instanceof RunBoundError && error.isOfTime;
    return { makeRoles: () => [], sized: null, reference, steps: 0, isCutShort };
  }
}

/**
 * Makes the roles of a run.
 *
 * @throws RunBoundError if a bound ends a run.
 */
function preparedRun(launched: Launched, params: Parameters, isOver: () => boolean): Prepared {
  const { maxInstructions = MAX_INSTRUCTIONS, shouldStop = () => false } = launched.options;
  const name = readableName(launched.entry.name);
  const { runWith: execute, launch } = executionOf(launched, params);
  const { decided, touched }: RunsOf = launched.cluster ?? { decided: [], touched: [] };
  const isLate = (): boolean => isOver() || shouldStop();
  const compared = comparedIn(launched, params, isLate);
  const runWith: typeof execute = (changed) => {
    const bounds = { isOver: isLate, ...changed };
    const run = execute(compared === null ? bounds : { ...bounds, compared });
    if (run.blocks !== null) decided.push(run.blocks);
    if (run.touches !== null) touched.push(run.touches);
    return run;
  };
  const run = runWith({ answers: () => FIRST });
  const strands = inStrands(run);
  const plan = lowerRun(strands);
  const makeRoles = rolesOf(plan, run);
  const explained = {
    ...explainedBy(name, run, strands, runWith),
    ...withTextArrivals(launched, run, { strands, plan }, runWith),
  };
  const blocks = blocksOf(launched, launch, run, { decided, touched });
  const shared = (): SharedUse => sharedUse(run, launch.sharedBytes);
  const beside = { ...explained, ...blocks, shared, ...certainlyOf(name, plan, run) };
  const closer = closerOf(launched, run);
  const reference = { ...referenceOf(strands, plan.possible, run.doubts), ...beside, ...closer };
  const steps = run.warps.reduce((sum, warp) => sum + warp.steps.length, 0);
  if (run.orders > 1) {
    const orders = (isOver: () => boolean): Iterable<OtherWay> =>
      otherOrders(launched, run, (order) => {
        const isOrderLate = (): boolean => isOver() || shouldStop();
        return runWith({ answers: () => FIRST, order, isOver: isOrderLate });
      });
    const undecided = reference.undecided ?? openOf(run);
    return { makeRoles, sized: null, reference: { ...reference, undecided, orders }, steps };
  }
  const sized = run.decisions.every(isPatient) ? { plan, run } : null;
  if (run.decisions.length === 0) return { makeRoles, sized, reference, steps };
  const others = othersOf(name, run, { runWith, maxInstructions, shouldStop });
  const ways = waysOf(run, others);
  return { makeRoles, sized, reference: { ...reference, ways }, steps };
}
