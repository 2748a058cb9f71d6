// A reference run: the steps of every warp of one cluster, where they come from, what was assumed.
import type { AssumptionName } from '@poundlock/core/internal/finding';
import type {
  Certainty,
  InstructionForm,
  OrderedWord,
  ReferenceFault,
} from '@poundlock/core/internal/program';
import type { Effect } from '../isa/effect.ts';
import type { Dimensions } from '../launch/launch.ts';
import type { NotedDecisions } from './block-decision.ts';
import type { Subject, Decision } from './decision.ts';
import type { Place } from '../places/place.ts';
import type { GlobalPlaces, SharedVariable } from './names.ts';
import type { Step } from './step.ts';
import type { NotedTouches } from './touches.ts';

/** One warp of the cluster and its steps in program order. */
export interface WarpSteps {
  /** The rank of its CTA in the cluster. */
  readonly cta: number;
  readonly warp: number;
  readonly steps: readonly Step[];
  /** How many threads the warp has. */
  readonly threads: number;
  /** The step at which the run came to an end although the warp had not; `null` if it ended. */
  readonly stuck: Step | null;
  /** What it would do behind the step where it is stuck; `null` where that was not asked. */
  readonly behind?: StepsBehind | null;
  /** The lanes that it stands for, where those of one warp are several agents. */
  readonly strand?: Strand;
}

/** What a warp would do at barriers if waits that never end passed. */
export interface StepsBehind {
  readonly steps: readonly Step[];
  /** Whether there is more that is not known. */
  readonly isOpen: boolean;
}

/** Lanes of a warp that make the same steps. */
export interface Strand {
  readonly lanes: readonly number[];
  /** Which part of its warp it is, of how many. */
  readonly index: number;
  readonly count: number;
}

/** A sentence without a period about an instruction. */
export interface PlacedNote {
  readonly text: string;
  /** The instruction it is about; -1: none. */
  readonly at: number;
}

/** Something the verdict depends on that the run did not establish. */
export interface Assumption extends PlacedNote {
  readonly name: AssumptionName;
  /** Whether it is about which bytes an access of unknown address touches. */
  readonly isOfAddress?: boolean;
}

/** A mistake that the reference run itself met, such as an arrival that is one too many. */
export interface RunFault {
  readonly rule: Exclude<ReferenceFault['rule'], 'stuck'>;
  readonly text: string;
  readonly at: number;
  readonly certain?: Omit<Certainty, 'instruction'>;
  /** Whether only the profile `isa` forbids it; an assumption says that it is a practice. */
  readonly isOfIsa?: boolean;
}

/** A word that warps only add to for a while. */
export interface Counted {
  readonly word: number;
  /** What it holds before. */
  readonly initial: number;
}

/** A word of global memory that warps poll: writes of it are arrivals. */
export interface Counter {
  readonly name: string;
  /** Writes that complete a phase. */
  readonly arrivals: number;
  /** Whether polls pass exactly when so many phases are complete, in whatever order. */
  readonly isExact: boolean;
  /** After how many writes a lock may be taken; missing where it is none. */
  readonly free?: readonly number[];
  /** The names of the warps that write it, in the order of the run. */
  readonly writers: OrderedWord['writers'];
  /** A poll of it. */
  readonly at: number;
}

/** All such words by their addresses, and how many guards their polls and writes have. */
export interface Counters {
  readonly words: ReadonlyMap<number, Counter>;
  readonly guards: number;
}

/** Everything that the lowering needs. */
export interface ReferenceRun {
  readonly version: number;
  readonly kernel: string;
  /** The version of PTX that the kernel is of, such as `9.0`; empty where it is not known. */
  readonly ptx: string;
  readonly ctas: number;
  /** CTAs of a cluster: all unless all clusters of a grid were executed. */
  readonly clusterSize: number;
  /** Registers of each thread at the launch, where the kernel changes them; else `null`. */
  readonly registers: number | null;
  /** The most registers of a thread, by the launch or the kernel's text; `null`: neither says. */
  readonly mostRegisters: number | null;
  readonly warps: readonly WarpSteps[];
  readonly places: (at: number) => Place;
  /** What the instruction at a place does; `null` where it is not known. */
  readonly effectOf: (at: number) => Effect | null;
  /** Variables in shared memory, in the order of their offsets. */
  readonly variables: readonly SharedVariable[];
  /** The name of a shared address, such as `full[1]` or `smem+1024`. */
  readonly nameOf: (address: number) => string;
  readonly assumptions: readonly Assumption[];
  readonly faults: readonly RunFault[];
  /** Asynchronous work that reads shared memory which nothing writes, as far as it is known. */
  readonly unwritten: readonly PlacedNote[];
  /** Fences that may not be executed, which are no steps: an error that one would keep is none. */
  readonly openFences: readonly PlacedNote[];
  /**
   * Bytes of the boxes that the launch does not give, by the address of their tensor map: those
   * that the kernel's expected bytes ask for. Empty where the launch gives all.
   */
  readonly solvedBoxes: ReadonlyMap<string, number>;
  /** Counts of words of shared memory by which warps know that they are the last, by number. */
  readonly counts: ReadonlyMap<number, Counted>;
  readonly counters: Counters;
  /** Places that stand for what the kernel before writes, which need not have ended. */
  readonly earlier: readonly number[];
  /** What names places of global memory. */
  readonly global: GlobalPlaces;
  /** Reasons why the run stands for no launch: the verdict is inconclusive. */
  readonly undecided: readonly PlacedNote[];
  /** `null` where the kernel's text is not known. */
  readonly coverage: Coverage | null;
}

/** Whether words that decide are written: by no store, by none through their pointers, or maybe. */
export type Constancy = 'never written' | 'written elsewhere' | 'open';

/** A run of a kernel's text. */
export interface ExecutedRun extends ReferenceRun {
  readonly coverage: Coverage;
  /** What rests on where the blocks lie; `null`: all of them were executed. */
  readonly blocks: NotedDecisions | null;
  /** What it touches of global memory; `null` where all blocks were executed. */
  readonly touches: NotedTouches | null;
  /** The pointers that the address of an instruction is derived from; `null`: any memory. */
  readonly pointersOf: (at: number) => ReadonlySet<string> | null;
  /** Instructions at unknown addresses that may meet what such clusters touch. */
  readonly unknownAmong: (touches: readonly NotedTouches[]) => readonly number[];
  /** What was answered that the launch leaves open, in the order of the run. */
  readonly decisions: readonly Decision[];
  /** What the text writes of the words of global memory that decide. */
  readonly constancy: Constancy;
  /** What it left open that more questions may decide: accesses, joins, or what one try says. */
  readonly open: 'nothing' | 'accesses' | 'joins' | 'tries';
  /** By instruction: what decides whether its accesses happen. */
  readonly doubts: ReadonlyMap<number, Subject>;
  /**
   * Whether it ended while a warp waits that can give up; `maybe`: another order may let it pass.
   */
  readonly waiting: 'no' | 'surely' | 'maybe';
  /** The place of the cluster that was executed. */
  readonly place: Dimensions;
  /** In how many orders the blocks have to be executed, of which this is one. */
  readonly orders: number;
  /** A load that found an older value than its word held, which no schedule may lead to. */
  readonly older?: number;
}

/** What of the kernel's text the run executed. */
export interface Coverage {
  /** By instruction: 1 if it was executed. */
  readonly reached: Uint8Array;
  /** The instructions that synchronize or start asynchronous work. */
  readonly synchronizing: readonly number[];
  /** The row of the table of instructions that each is; absent in a steps file. */
  readonly formOf?: (at: number) => InstructionForm;
}
