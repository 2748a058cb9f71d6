// What `check` answers: one of three verdicts, what it holds for, and the findings.
import type { Assumption, AssumptionName } from './assumption.ts';
import type { Finding, Replayable } from './finding.ts';
import type { LaunchScope } from './launch-scope.ts';
import type { Standing, TraceStep } from './trace.ts';

/** The value of a kernel parameter. */
export type ParameterValue = number | boolean | string;
/** Kernel parameters by name. */
export type Parameters = Readonly<Record<string, ParameterValue>>;

/**
 * The engine that decided a check: the replay of a schedule, a certificate (`hybrid`: from several
 * runs), a constructed schedule, or a search.
 */
export type EngineName = 'replay' | 'certify' | 'hybrid' | 'witness' | 'search' | 'reduced';

/**
 * The outcome of a check: `certified` means that all that was asked is proved, so that no
 * interleaving has a finding of severity error; `counterexample` that one has; and `inconclusive`
 * everything else: a bound was hit, or the proof rests on what is not proved and not accepted.
 */
export type Verdict = 'certified' | 'counterexample' | 'inconclusive';

/** A schedule without a finding, from the start of the kernel to the end of every role. */
export interface ExampleSchedule extends Replayable {
  /** The steps, in order. */
  readonly trace: readonly TraceStep[];
  /** What each role and unit does after the last step. */
  readonly standing: readonly Standing[];
}

/** Values of one parameter that were tried beside the requested one, each alone, in order. */
export interface TriedSizes {
  /** The parameter, which counts items. */
  readonly parameter: string;
  /** The values with which the kernel is certified, too. */
  readonly certified: readonly number[];
  /** The values that the kernel does not accept. */
  readonly refused: readonly number[];
  /** The values of which nothing is known, because a bound was reached. */
  readonly open: readonly number[];
  /** The values that fail and that the parameter does not declare: a warning. Absent for none. */
  readonly undeclared?: readonly number[];
}

/** Values of a parameter with which a kernel as built repeats what it does: one proof of all. */
export interface RepeatedSizes {
  /** The parameter. */
  readonly parameter: string;
  /** From this value on; smaller ones were checked one by one. */
  readonly from: number;
  /** After how much more of it each warp does the same again. */
  readonly step: number;
  /** Up to which value that is proved; `null` where it is seen and not proved, an assumption. */
  readonly most: number | null;
  /** Why it is not proved; absent where it is. */
  readonly reason?: string;
}

/** What was checked of memory, and what the verdict relies on (docs/reference/semantics.md). */
export interface MemoryScope {
  /** The memory profile. */
  readonly profile: 'practice' | 'isa';
  /** Practices that the PTX ISA does not promise, and how many places rely on each. */
  readonly practices: readonly { readonly id: string; readonly places: number }[];
}

/** An instruction that synchronizes and that no run reached. */
export interface MissedInstruction {
  /** What it is, such as `mbarrier.try_wait`. */
  readonly opcode: string;
  /** Its line in the PTX. */
  readonly ptxLine: number;
  /** The file of the user's source, or the PTX file where the kernel has no line information. */
  readonly file: string;
  /** The line in that file, from 1. */
  readonly line: number;
  /** The column in that line, from 1. */
  readonly column: number;
}

/** How much of a kernel as built was executed, over all sizes and launches that were tried. */
export interface ResultCoverage {
  /** Sizes and launches that were tried. */
  readonly sizes: number;
  /** Instructions of the kernel. */
  readonly instructions: number;
  /** How many of them a run reached. */
  readonly reached: number;
  /** Instructions that synchronize or start asynchronous work. */
  readonly synchronizing: number;
  /** How many of those a run reached. */
  readonly synchronizingReached: number;
  /** Those of the latter that no run reached. */
  readonly missed: readonly MissedInstruction[];
  /** The forms of instructions of the kernel, the most frequent first; absent for steps files. */
  readonly forms?: readonly CoveredForm[];
}

/** A row of the table of instructions, and how often a kernel has it. */
export interface CoveredForm {
  /** Its name and the modifiers that it takes. */
  readonly form: string;
  /** Instructions of the kernel. */
  readonly count: number;
  /** How many of them a run reached. */
  readonly executed: number;
  /** Whether poundlock follows what it does, or knows that nothing follows from it. */
  readonly status: 'modeled' | 'harmless' | 'unmodeled';
}

/** Blocks of a kernel as built. */
export interface BlockScope {
  /** Blocks of the grid, and of each of its clusters. */
  readonly total: number;
  /** Blocks of each cluster. */
  readonly clusterSize: number;
  /** Whether nothing is said of others, by the option `blocks`; absent where all are meant. */
  readonly isAlone?: true;
  /** Their classes: all blocks of a class do the same. */
  readonly classes: readonly {
    /** The first block of the cluster that was executed. */
    readonly block: readonly [x: number, y: number, z: number];
    /** Ranges `[first, last]` of clusters by their numbers, x first. */
    readonly ranges: readonly (readonly [number, number])[];
  }[];
}

/** Another launch of a kernel as built, and what came of it. */
export interface TriedLaunch {
  /** The launch file. */
  readonly file: string;
  /** The number of the launch in it, from 0. */
  readonly index: number;
  /** What came of it; one with an error is the result of the whole check. */
  readonly verdict: 'certified' | 'inconclusive';
  /** Why it is inconclusive. */
  readonly reason?: string;
}

/** A text by its hash: a verdict about it says nothing of another text. */
export interface TextHash {
  /** Its file, as the report names it. */
  readonly file: string;
  /** SHA-256 of the text as UTF-8, in hexadecimal digits. */
  readonly sha256: string;
}

/** How far a search came. */
export interface SearchProgress {
  /** Steps from the start to the states that were searched last. */
  readonly depth: number;
  /** States whose moves are not searched yet. */
  readonly open: number;
}

/** The result of checking one kernel with one set of parameters (docs/schema/report.json). */
export interface CheckResult {
  /** The kernel's name. */
  readonly kernel: string;
  /** All parameters, with their defaults. */
  readonly params: Parameters;
  /** The outcome. */
  readonly verdict: Verdict;
  /** What the verdict holds for. */
  readonly scope: {
    readonly params: Parameters;
    /** Parameters for every value of which it holds. */
    readonly every: readonly string[];
    /** What the verdict rests on beyond what was proved. */
    readonly assumptions: readonly Assumption[];
    /** Those of their names that were accepted and have to be; absent where there are none. */
    readonly accepted?: readonly AssumptionName[];
    /** Other values of the parameters that were tried one by one. */
    readonly sizes: readonly TriedSizes[];
    /** How a kernel as built repeats itself for those of `every`; absent for others. */
    readonly periods?: readonly RepeatedSizes[];
    /** Other launches of a kernel as built that were tried; absent where there are none. */
    readonly launches?: readonly TriedLaunch[];
    /** The classes of blocks of a grid that were executed, a cluster of each; absent for one. */
    readonly blocks?: BlockScope;
    /** The memory profile; absent for `none`. */
    readonly memory?: MemoryScope;
  };
  /** Errors and warnings, the cause before the symptom. */
  readonly findings: readonly Finding[];
  /** For `inconclusive`: the bound that was hit, in one sentence. */
  readonly reason?: string;
  /** Remarks on the verdict, a sentence each. */
  readonly notes?: readonly string[];
  /** For a kernel as built whose launch was inferred: its parts, and where they come from. */
  readonly launch?: LaunchScope;
  /** For a kernel as built: how much of it was executed. */
  readonly coverage?: ResultCoverage;
  /** The texts that the verdict is about; absent where the kernel is not known by a file. */
  readonly texts?: readonly TextHash[];
  /** A shortest schedule without a finding, if option `example` asked for one. */
  readonly example?: ExampleSchedule;
  /** What the check did, for statistics. */
  readonly stats: {
    /** The engine that decided: `certify`, `hybrid`, `reduced` or `search`. */
    readonly engine: EngineName;
    /** Operations that a certificate executed. */
    readonly events: number;
    /** States that a search stored. */
    readonly states: number;
    /** Transitions that a search executed. */
    readonly transitions: number;
    /** How far a search came that a bound ended; absent where it came to its end. */
    readonly unfinished?: SearchProgress;
    /** Duration in milliseconds; 0 without a clock (option `now`). */
    readonly elapsedMs: number;
  };
}
