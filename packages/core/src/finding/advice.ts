// One proposal of `advise` as plain data: a change, its verdict and its predicted time.
import type { Assumption } from './assumption.ts';
import type { ParameterValue, Verdict } from './result.ts';

/** One change, in words, with the verdict of `check` and the predicted time. */
export interface Proposal {
  /**
   * What is changed: all release points, one of them, how two stages overlap, the order of
   * operations, or the number of stages.
   */
  readonly kind: 'raii' | 'earlier' | 'hand-over-hand' | 'order' | 'stages';
  /** The change, as a sentence. */
  readonly change: string;
  /** The predicted time in cycles; NaN where the changed kernel deadlocks. */
  readonly totalCycles: number;
  /** The time of the unchanged kernel divided by that of the changed one. */
  readonly speedup: number;
  /** The verdict on the changed kernel. */
  readonly verdict: Verdict;
  /** The counterexample that forbids it, or why the verdict is inconclusive. */
  readonly why: string | null;
}

/** Where an instruction of a kernel as built is: in the user's source, and in the PTX text. */
export interface InstructionPlace {
  readonly opcode: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly ptxLine: number;
  readonly ptxColumn: number;
}

/**
 * Whether an instruction that synchronizes is needed: it can be deleted with all others that are
 * `unnecessary`; or instead of some of them (`alternative`); or it can wait for less (`weaker`);
 * or the kernel works without it on what the PTX ISA does not promise (`practice`); or deleting it
 * breaks something (`necessary`); or that is not known.
 */
export type Necessity =
  | 'unnecessary'
  | 'alternative'
  | 'weaker'
  | 'practice'
  | 'necessary'
  | 'undecided'
  | 'unreached';

/** By how many cycles a simulated kernel ends sooner: of several runs with other latencies. */
export interface SimulatedGain {
  /** The median; negative where it ends later. */
  readonly cycles: number;
  readonly least: number;
  readonly most: number;
}

/** The simulated time of a kernel as built, and what all that can be deleted changes of it. */
export interface SimulatedReview {
  /** How often it was simulated with and without, each time with other latencies. */
  readonly runs: number;
  /** The median time of the kernel as it is. */
  readonly totalCycles: number;
  /** Without all that can be deleted together, and with the waits that can be weaker. */
  readonly gain: SimulatedGain;
}

/** What is known of one synchronizing instruction, or of several that are of use together only. */
export interface SynchronizationAdvice extends InstructionPlace {
  /** What it does, in a word or two. */
  readonly does: string;
  /** Instructions that are deleted with it. */
  readonly partners: readonly InstructionPlace[];
  /** Copies of it in the text that no size reached: nothing is known of them. */
  readonly unreached: readonly InstructionPlace[];
  readonly verdict: Necessity;
  /** What can be done: `delete`, or the operand that is enough; `null` where nothing can. */
  readonly change: string | null;
  /** How often the warp executes it that does so most often, at the first size. */
  readonly executions: number;
  /** What these executions cost where nothing is waited for; `null` without a figure. */
  readonly cycles: number | null;
  /** What the change alone gains of the time of the kernel; `null` where it was not simulated. */
  readonly gain: SimulatedGain | null;
  /** The rule that is broken without it, or `null`. */
  readonly rule: string | null;
  /** What breaks without it, or why that is not known. */
  readonly why: string | null;
  /** Indices of the instructions that have to stay if this one is deleted. */
  readonly instead: readonly number[];
}

/** A launch, and the numbers that it was tried with. */
export interface ReviewedSize {
  /** The launch file. */
  readonly file: string;
  /** The number of the launch in it, from 0. */
  readonly launch: number;
  readonly params: Readonly<Record<string, ParameterValue>>;
}

/** Which synchronizing instructions of a kernel as built are needed. */
export interface SynchronizationReview {
  /** The sizes at which each claim was proved. */
  readonly sizes: readonly ReviewedSize[];
  /** Values that the kernel refuses, and launches that were too many. */
  readonly untried: readonly ReviewedSize[];
  /** The parameter for every value of which they were proved; `null` without one. */
  readonly every: string | null;
  /** The memory profile. */
  readonly memory: string;
  readonly instructions: readonly SynchronizationAdvice[];
  /** What all changes gain together; `null` where there are none, or they were not simulated. */
  readonly simulated: SimulatedReview | null;
  /**
   * Whether the kernel holds by the text of the PTX ISA alone, and so does what is claimed of it;
   * `false`: both fail it at the same places; `null`: that is not known.
   */
  readonly isa: boolean | null;
  /** Why nothing could be judged; `null` if it could. */
  readonly unjudged: string | null;
  /** What the claims take for granted. */
  readonly assumptions: readonly Assumption[];
  /** Instructions of the kernel that no size reached, and all of them. */
  readonly unreached: number;
  readonly total: number;
  /** Whether a bound ended the search: instructions that were not tried are undecided. */
  readonly isCut: boolean;
}
