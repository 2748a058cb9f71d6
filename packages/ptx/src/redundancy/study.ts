// A kernel whose synchronizing instructions are left out one after another: its text and launches
// are read once, and each change is a run of its own, or an edit of the steps of the first run.
import { InputError } from '@poundlock/core/internal/base';
import { builtKernel } from '../kernel/built-kernel.ts';
import type { AllowedValues, Kernel } from '@poundlock/core/internal/program';
import type { Parameters } from '@poundlock/core/internal/finding';
import { inlineCalls } from '../flow/inline.ts';
import { findEntry, withSources } from '../kernel/entry.ts';
import { kernelOf, MAX_INSTRUCTIONS } from '../kernel/kernel.ts';
import { MAX_WAY } from '../kernel/run-ways.ts';
import type { PtxKernelOptions } from '../kernel/kernel.ts';
import { inStrands } from '../lanes/strands.ts';
import type { Launch } from '../launch/launch.ts';
import { readLaunchFile } from '../launch/read-launch.ts';
import type { LaunchFile } from '../launch/read-launch.ts';
import { allowedValues, namedScalars } from '../launch/scalars.ts';
import { rolesOf } from '../lower/kernel.ts';
import { lowerRun } from '../lower/roles.ts';
import type { Answers } from '../steps/decision.ts';
import { RunBoundError } from '../exec/machine/execute.ts';
import { referenceRun } from '../exec/machine/reference-run.ts';
import { readableName } from '../text/names.ts';
import type { Effect } from '../isa/effect.ts';
import { placeOf } from '../places/place.ts';
import { referenceOf } from '../kernel/reference.ts';
import type { Place } from '../places/place.ts';
import type { ExecutedRun, ReferenceRun } from '../steps/run.ts';
import type { Step } from '../steps/step.ts';
import { parsePtx } from '../text/parse.ts';
import type { PtxFunction, PtxModule } from '../text/module.ts';
import { FIRST } from '../paths/answers.ts';
import { otherWays } from '../paths/ways.ts';
import { memoryUse, orderedElsewhere, sharedByBlocks, unfollowedIn } from './elsewhere.ts';
import type { PairCounts } from './lane-pairs.ts';
import { registerHazards } from './register-hazards.ts';
import type { RegisterHazard } from './register-hazards.ts';
import { RunLedger } from './run-ledger.ts';
import { changed, sitesOf } from './sites.ts';
import type { Change, Site } from './sites.ts';
import { withGlobal, withStrictAtomics } from './with-global.ts';
import type { StrictRun } from './with-global.ts';

/** One launch, with values that replace its own. */
export interface Size {
  /** Which of the launches of the study. */
  readonly launch: number;
  readonly params: Parameters;
}

/** A launch of the kernel. */
export interface StudiedLaunch {
  readonly file: string;
  readonly index: number;
  readonly read: LaunchFile;
}

/** A run of the kernel, with all that a change of it may disturb. */
export interface StudiedRun {
  readonly run: ExecutedRun;
  readonly strict: StrictRun;
  /** With global memory at known addresses, in which a search may find an error. */
  readonly global: () => Pick<StrictRun, 'run' | 'isMerged'>;
  /** What lanes of a warp exchange. */
  readonly pairs: PairCounts;
  /** How often each warp executed barriers of its lanes, by instruction. */
  readonly meetings: readonly ReadonlyMap<number, number>[];
  /** Why an instruction orders what the run does not have; `null` if it does not. */
  readonly elsewhere: (at: number) => string | null;
}

/** The runs of one size: one for each way that unknown data may lead the kernel. */
export interface Ways {
  readonly runs: readonly StudiedRun[];
  /** Why these may not be all; `null` if they are. */
  readonly open: string | null;
}

/** The kernel of a text with its launches. */
export class Study {
  readonly #options: PtxKernelOptions;
  readonly #module: PtxModule;
  readonly #code: PtxFunction;
  readonly name: string;
  /** Its instructions that synchronize. */
  readonly sites: readonly Site[];
  readonly launches: readonly StudiedLaunch[];

  constructor(options: PtxKernelOptions) {
    this.#options = options;
    const { ptx, launch, otherLaunches = [], launchIndex, entry, resolveSource } = options;
    this.#module = withSources(parsePtx(ptx.text, ptx.file), resolveSource);
    const first = readLaunchFile(launch.text, launch.file);
    const found = findEntry(this.#module, entry ?? first.kernel);
    this.#code = inlineCalls(this.#module, found);
    this.name = readableName(found.name);
    this.sites = sitesOf(this.#code);
    if (launchIndex !== undefined && (launchIndex < 0 || launchIndex >= first.count)) {
      const which = `there is no launch ${launchIndex}`;
      throw new InputError(`${launch.file} has ${first.count} launches: ${which}`);
    }
    const allOf = (read: LaunchFile, file: string): StudiedLaunch[] =>
      Array.from({ length: read.count }, (_, index) => ({ file, index, read }));
    const own = allOf(first, launch.file);
    const others = otherLaunches.flatMap(({ file, text }) => {
      const read = readLaunchFile(text, file);
      return findEntry(this.#module, entry ?? read.kernel) === found ? allOf(read, file) : [];
    });
    this.launches = launchIndex === undefined ? [...own, ...others] : [own[launchIndex]!];
  }

  /** The numbers of a launch by name. */
  defaults(launch: number): Record<string, number> {
    const { read, index } = this.launches[launch]!;
    return namedScalars(read, index, this.#code);
  }

  /** Other values that a launch allows for its numbers. */
  allowed(launch: number): AllowedValues[] {
    const { read, index } = this.launches[launch]!;
    return allowedValues(read, index, this.#code);
  }

  effectOf(at: number): Effect {
    return this.#code.instructions[at]!.effect;
  }

  placeOf(at: number): Place {
    return placeOf(this.#module, this.#code.instructions[at]!);
  }

  /** Executes the kernel with a change, on all ways that unknown data may lead it. */
  execute(change: Change, size: Size): Ways {
    const code = changed(this.#code, change);
    const studied = new Map<ExecutedRun, StudiedRun>();
    const run = (answers: () => Answers, most?: number): ExecutedRun => {
      const one = this.#executeWay(code, size, answers, most);
      studied.set(one.run, one);
      return one.run;
    };
    try {
      const first = run(() => FIRST);
      const runs = [studied.get(first)!];
      if (first.decisions.length === 0) return { runs, open: null };
      const others = otherWays(first, (answers) => run(answers, MAX_WAY), null);
      for (let each = others.next(); ; each = others.next()) {
        if (each.done === true) return { runs, open: each.value };
        runs.push(studied.get(each.value)!);
      }
    } catch (error) {
      if (error instanceof RunBoundError) return { runs: [], open: error.message };
      throw error;
    }
  }

  /**
   * The launch of a size.
   *
   * @throws InputError where it cannot be used.
   */
  launchOf({ launch, params }: Size, code: PtxFunction = this.#code): Launch {
    const { read, index } = this.launches[launch]!;
    const defaults = this.defaults(launch);
    const overrides: Record<string, number> = {};
    for (const [name, value] of Object.entries(params))
      if (typeof value === 'number' && value !== defaults[name]) overrides[name] = value;
    return read.launch(index, code, overrides);
  }

  #executeWay(code: PtxFunction, size: Size, answers: () => Answers, most = Infinity): StudiedRun {
    const { maxInstructions = MAX_INSTRUCTIONS, assumeBoxes = false, shouldStop } = this.#options;
    const ledger = new RunLedger(code);
    const run = referenceRun(this.#module, code, this.launchOf(size, code), {
      maxInstructions: Math.min(maxInstructions, most),
      assumeBoxes,
      isOver: shouldStop ?? (() => false),
      observer: ledger,
      // That waits do not give up is part of what is assumed of the kernel.
      endsWaits: true,
      isComparedElsewhere: true,
      answers,
    });
    const atomics = withStrictAtomics(run, (at) => ledger.commutes(at));
    const strict = withGlobal(atomics, ledger, 'proof');
    const use = memoryUse(run, ledger.warps(run.warps.length));
    return {
      run,
      strict: { ...strict, unfollowed: this.#unfollowed(code, run, strict) },
      global: () => withGlobal(run, ledger, 'search'),
      pairs: ledger.pairs,
      meetings: ledger.meetings,
      elsewhere: (at) => orderedElsewhere(this.#code.instructions[at]!, use),
    };
  }

  #unfollowed(code: PtxFunction, run: ExecutedRun, strict: StrictRun): StrictRun['unfollowed'] {
    const found =
      sharedByBlocks(run) ?? unfollowedIn(code, run.coverage.reached) ?? strict.unfollowed;
    if (found !== null || !strict.isMerged) return found;
    // What single lanes do to global memory is not followed.
    const parted = inStrands(run).warps.findIndex(({ strand }) => strand !== undefined);
    if (parted < 0) return null;
    const text = 'lanes of one warp go on apart, and it accesses global memory';
    return { text, at: run.warps[0]?.steps[0]?.at ?? 0 };
  }

  /** Registers that asynchronous work and threads use at the same time, with a change. */
  hazards(change: Change): ReadonlyMap<string, RegisterHazard> {
    return registerHazards(changed(this.#code, change));
  }

  /** The kernel as one launch starts it. */
  kernel(launch: number): Kernel {
    return this.#kernelOf(this.#code, launch);
  }

  /**
   * The kernel with a change, as one launch starts it. What it executes is not asked: without an
   * instruction that can go, none that synchronizes may be left.
   */
  changedKernel(change: Change, launch: number): Kernel {
    const kernel = this.#kernelOf(changed(this.#code, change), launch);
    const reference = kernel.reference!;
    return { ...kernel, reference: (params) => ({ ...reference(params), coverage: null }) };
  }

  #kernelOf(code: PtxFunction, launch: number): Kernel {
    const { read, index } = this.launches[launch]!;
    return kernelOf(this.#module, code, read, { ...this.#options, launchIndex: index });
  }

  /**
   * The kernel of a run, which executes what it does on one way alone; one with global memory has
   * warps as a whole.
   *
   * @param fenceCyclesOf How long a fence takes, for a simulation.
   */
  kernelOfRun(
    run: ReferenceRun,
    isMerged: boolean,
    fenceCyclesOf?: (at: number) => number,
  ): Kernel {
    const strands = isMerged ? run : inStrands(run);
    const plan = lowerRun(strands);
    const built = builtKernel(
      this.name,
      {},
      rolesOf(plan, strands, fenceCyclesOf === undefined ? {} : { fenceCyclesOf }),
    );
    const reference = { ...referenceOf(strands, plan.possible), coverage: null };
    return { ...built, position: undefined, reference: () => reference };
  }
}

/**
 * The steps of a run without those of deleted instructions. Every schedule of the kernel is one of
 * the kernel without them, so this is what the reference run of that kernel records.
 */
export function edited(run: ReferenceRun, { deleted, pending }: Change): ReferenceRun {
  const edit = (steps: readonly Step[]): Step[] =>
    steps.flatMap((step): Step[] => {
      if (deleted.has(step.at)) return [];
      if (step.op === 'last') return [{ ...step, steps: edit(step.steps) }];
      const open = pending.get(step.at);
      return open !== undefined && step.op === 'waitGroup' ? [{ ...step, pending: open }] : [step];
    });
  return { ...run, warps: run.warps.map((warp) => ({ ...warp, steps: edit(warp.steps) })) };
}

/**
 * The steps of a run as one text, but for the identities of unknown values and for joins of lanes,
 * which are recorded where lanes did something before; `null` where a warp did not end.
 */
export function traceOf({ warps }: ReferenceRun): string | null {
  if (warps.some(({ stuck }) => stuck !== null)) return null;
  return warps.map(({ steps }) => keysOf(steps).join('\n')).join('\n\n');
}

function keysOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => (step.op === 'join' ? [] : [keyOf(step)]));
}

function keyOf(step: Step): string {
  const known = step.op === 'access' ? { ...step, values: [], adds: undefined } : step;
  return JSON.stringify(known.op === 'last' ? { ...known, steps: keysOf(known.steps) } : known);
}
