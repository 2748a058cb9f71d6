// What is known of a kernel that was taken from a run of another program instead of written.
import type { Position } from '../base/index.ts';
import type { AssumptionName } from '../finding/index.ts';
import type { Kernel } from './kernel.ts';

/** A sentence without a period, and the place it is about. */
export interface PlacedText {
  readonly text: string;
  readonly position?: Position;
  /** Whether it is so because there is too much: with smaller numbers it may not be. */
  readonly isOfSize?: true;
}

/** Something that a run assumed. */
export interface ReferenceAssumption extends PlacedText {
  readonly name: AssumptionName;
}

/** A mistake that the run itself met. */
export interface ReferenceFault extends PlacedText {
  readonly rule:
    | 'over-arrival'
    | 'out-of-bounds'
    | 'misaligned'
    | 'barrier-count'
    | 'cluster-mask'
    | 'non-coherent'
    | 'named-barrier'
    | 'member-mask'
    | 'trap'
    | 'uninitialized-barrier'
    | 'tensor-map'
    | 'register-in-flight'
    | 'missing-wgmma-fence'
    | 'tensor-memory'
    | 'unjoined-lanes'
    | 'stuck';
  /** Why it is one on every schedule and for all data; missing where that is not known. */
  readonly certain?: Certainty;
  /** Whether only the profile `isa` forbids it; others count it as a practice. */
  readonly isOfIsa?: boolean;
}

/** What makes a mistake of a run one of the kernel. */
export interface Certainty {
  /** The role that makes it; `null` where no single one does. */
  readonly role: string | null;
  /** The instruction, such as `cp.async.bulk.tensor.2d (PTX line 12)`. */
  readonly instruction: string;
  /** What the PTX ISA asks for instead, as a sentence without a period. */
  readonly rule: string;
  /** Whether it rests on the order of accesses, so that a race may lead elsewhere. */
  readonly isOrdered?: boolean;
  /** Whether data decides which way is taken, and each way has such a mistake. */
  readonly isOnEachWay?: boolean;
}

/** An instruction of the other program: what it is and where it stands. */
export interface InstructionPlace {
  readonly opcode: string;
  /** Its line in the text of the other program. */
  readonly textLine: number;
  /** Its line in what that text was compiled from, if that is known; else in the text. */
  readonly position: Position;
}

/** Which instructions of the other program the run executed. */
export interface ReferenceCoverage {
  /** By instruction: 1 if it was executed. */
  readonly reached: Uint8Array;
  /** The instructions that synchronize or start asynchronous work. */
  readonly synchronizing: readonly number[];
  readonly placeOf: (instruction: number) => InstructionPlace;
  /** The row of the table of instructions that each is; absent where only its steps are known. */
  readonly formOf?: (instruction: number) => InstructionForm;
}

/** A row of a table of instructions. */
export interface InstructionForm {
  /** Its name and the modifiers that it takes. */
  readonly form: string;
  readonly status: 'modeled' | 'harmless' | 'unmodeled';
}

/** Values that a number of the launch may have, as the launch file says. */
export interface AllowedValues {
  readonly parameter: string;
  readonly least: number;
  readonly most: number;
  /** The distance of two values. */
  readonly step: number;
  /** All values, where the file lists them. */
  readonly listed: readonly number[] | null;
}

/** Another launch of the same kernel. */
export interface OtherLaunch {
  /** The launch file, and the number of the launch in it, from 0. */
  readonly file: string;
  readonly index: number;
  /** The kernel as that launch starts it. */
  readonly kernel: Kernel;
}

/** What else a launch file allows beside the launch that is asked for. */
export interface LaunchSurroundings {
  readonly values: readonly AllowedValues[];
  /** Numbers of the text that a parameter is compared with. */
  readonly comparedWith: (parameter: string) => readonly number[];
  /** In the order of the files; each is read when it is reached. */
  readonly launches: () => Iterable<OtherLaunch>;
}

/** A kernel that stands for every value `first + step · periods` of a parameter. */
export interface PeriodicKernel {
  /** Its one parameter is `periods`, any number from 0 on. */
  readonly kernel: Kernel;
  readonly first: number;
  /** The run that it was taken from. */
  readonly reference: KernelReference;
}

/** Kernels that stand for every value of a parameter from one on. */
export interface Periods {
  readonly from: number;
  readonly step: number;
  /** All values up to this one were looked at, and some beyond it. */
  readonly last: number;
  readonly beyond: readonly number[];
  /** Up to which value it is proved that the runs go on alike; `null`: that is only seen. */
  readonly most: number | null;
  /** Why it is not proved, and the place; `null` where it is. */
  readonly unproved: PlacedText | null;
  readonly kernels: readonly PeriodicKernel[];
  /** Whether it is about `from`, `from + step`, … alone, and not about the numbers between. */
  readonly isOneRest: boolean;
}

/**
 * What answers a question that the launch leaves open: a clock or the number of tries that fail,
 * where buffers lie, the machine, what nothing has written, or memory of unknown contents.
 */
export type Answerer = 'time' | 'place' | 'machine' | 'none' | 'data';

/** An answer that a run is built on. */
export interface Answer {
  readonly by: Answerer;
  readonly isTrue: boolean;
  /**
   * Whether any answer may be given at any time, or by some launch: an error that it leads to is
   * one. Others may not be what the launch means.
   */
  readonly isFree: boolean;
  /** Whether it may be what other threads have signaled: not every answer may come. */
  readonly maySignal: boolean;
  /** Whether it says if a wait gives up that tries again and again. */
  readonly isTimeout: boolean;
  /** That it is so, such as `the clock says that this branch is taken`. */
  readonly holds: PlacedText;
  /** That it may be otherwise, such as `a clock decides this branch`. */
  readonly open: PlacedText;
}

/** The answers of a run. */
export interface Answered {
  readonly answers: readonly Answer[];
  /** Whether those of them that are free can be given together. */
  readonly isPossible: () => boolean;
  /**
   * Whether it ended while a role waits that can give up: other runs say what it does then.
   * `maybe`: in another order of the roles the wait may pass.
   */
  readonly waiting: 'no' | 'surely' | 'maybe';
  /** The instructions whose operations it has. */
  readonly performed: ReadonlySet<number>;
}

/** Another way that the kernel may go, as its launch leaves it open. */
export interface AnsweredWay extends OtherWay, Answered {}

/** Another run of a kernel. */
export interface OtherWay {
  readonly kernel: Kernel;
  /** The run that it was taken from. */
  readonly reference: KernelReference;
}

/** The place of a block in its grid. */
export type Block = readonly [x: number, y: number, z: number];

/** An access of a block that meets one of another block. */
export interface BlockAccess extends PlacedText {
  readonly block: Block;
  readonly isWrite: boolean;
}

/** Blocks that are executed, each named by the first one of its cluster. */
export type ExecutedBlocks =
  /** One cluster, which stands for all that do the same but for where they access global memory. */
  | {
      readonly kind: 'class';
      readonly block: Block;
      readonly kernel: Kernel;
      /** Whether classes begin with it anew. */
      readonly isFirst: boolean;
      /** Whether its ways stand for those of other blocks, so that its errors need not happen. */
      readonly isOpened: boolean;
      /** Whether it counts only if it assumes nothing that has to be accepted. */
      readonly isStrict: boolean;
    }
  /**
   * One of a class, which accesses global memory where it may not. Where no other block of its
   * class is within the buffer, the launch may give bytes of one block: that is a warning.
   */
  | {
      readonly kind: 'member';
      readonly block: Block;
      readonly kernel: Kernel;
      readonly isWarning: boolean;
    }
  /** Two clusters that meet in global memory. */
  | (MeetingBlocks & { readonly kernel: Kernel })
  /** Two that cannot be executed together. */
  | (MeetingBlocks & { readonly kernel: null });

/** Two clusters that meet in global memory. */
interface MeetingBlocks {
  readonly kind: 'meeting';
  readonly accesses: readonly [BlockAccess, BlockAccess];
  /** The bytes in which they meet, by a name. */
  readonly name: string;
  /** Whether both accesses happen for all data. */
  readonly isCertain: boolean;
}

/** Blocks that are executed alone, each named by the first one of its cluster. */
export interface AloneBlocks {
  readonly blocks: readonly Block[];
  /** The numbers of their clusters. */
  readonly clusters: readonly number[];
  readonly total: number;
  readonly clusterSize: number;
}

/** The classes of blocks of a grid of which a run executed one cluster. */
export interface BlockClasses {
  /** How many blocks the grid has, and each of its clusters. */
  readonly total: number;
  readonly clusterSize: number;
  /**
   * The blocks that are executed beside the first ones, each once those before were checked, with
   * whether these are certified. What is returned says why some blocks are in no class, or not
   * compared with others; `null` where there are none.
   */
  readonly others: (isOver: () => boolean) => Iterator<ExecutedBlocks, PlacedText | null, boolean>;
  /** What the comparison of blocks has rested on so far. */
  readonly assumptions: readonly ReferenceAssumption[];
  /** The clusters of each class so far, as numbers in the order x, y, z: `[first, last]`. */
  readonly ranges: () => readonly (readonly (readonly [number, number])[])[];
}

/** Which of the other ways of a kernel are asked for. */
export interface WaysQuery {
  readonly isOver: () => boolean;
  /** Whether it matters at which level reads are known. */
  readonly isOfIsa: boolean;
  /** Whether waits that could give up are taken not to. */
  readonly endsWaits: boolean;
}

/** What the launch leaves open in the run that a kernel was taken from. */
export interface Ways {
  /** The answers of that run. */
  readonly first: Answered;
  /** What a verdict about all ways assumes where data answers; `null`: nothing. */
  readonly assumption: Pick<ReferenceAssumption, 'name' | 'text'> | null;
  /** What it assumes where waits that could give up are taken not to; `null`: there is none. */
  readonly noTimeout: ReferenceAssumption | null;
  /**
   * The other ways; why there may be more of them is returned, `null` where these are all, or all
   * others are made of them.
   */
  readonly others: (query: WaysQuery) => Iterator<AnsweredWay, string | null>;
}

/**
 * A word of memory that is a barrier of the kernel: its writes are arrivals. What polls of it see
 * rests on their order in the run, at least on which phase each is of. A certificate proves that
 * order; a search does not know of it.
 */
export interface OrderedWord {
  /** The name of the barrier. */
  readonly name: string;
  /** Arrivals of a phase. */
  readonly arrivals: number;
  /**
   * Roles that arrive, in the order of the run, each with its arrivals at one time; a role of which
   * there are parts stands for them.
   */
  readonly writers: readonly { readonly role: string; readonly count: number }[];
  /** After how many arrivals a lock may be taken, by any role that waits; missing for others. */
  readonly free?: readonly number[];
  /** What is not proved of it. */
  readonly open: PlacedText;
}

/** An access that unknown data decides, and what has to be the case so that an error is one. */
export interface PossibleAccess extends PlacedText {
  /** Why it is one for some data if the other access is certain; `null` where that is not known. */
  readonly forSomeData: string | null;
}

/** An arrival in the text of a role that the role has gone past. */
export interface SkippedArrival {
  readonly arrival: Position;
  /** What decided against it: conditions, and jumps on lines of their own. */
  readonly branches: readonly Position[];
  /** Whether it is the end of a loop, each round of which may arrive. */
  readonly isLoopEnd: boolean;
  /** Whether it was decided there; else there or at another branch that is shown. */
  readonly isSure: boolean;
  /** How many threads of the role have gone past it, where others have not. */
  readonly threads?: number;
}

/** What arrivals are at: a declared barrier, or the named barrier with a number, of a CTA. */
export interface ArrivalTarget {
  readonly kind: 'barrier' | 'named';
  readonly id: number;
  readonly cta: number;
}

/** What a text shows of the arrivals of roles. */
export interface ArrivalsOfText {
  /** Whether a role has one at a target in its text; `null`: that is not known. */
  has(role: number, target: ArrivalTarget): boolean | null;
  /** Those that a role has gone past since its last arrival there. */
  skipped(role: number, target: ArrivalTarget): readonly SkippedArrival[];
}

/** What a run uses of shared memory. */
export interface SharedUse {
  /** Bytes of dynamic shared memory, up to the last one that it touches. */
  readonly dynamicBytes: number;
  /** Stages of its rings of mbarriers, each once. */
  readonly stages: readonly number[];
}

/** A kernel each run of which decides what another run of it left open. */
export interface CloserKernel {
  readonly kernel: () => Kernel;
  /** Whether joins of lanes are among what is left open: an error may be none with them. */
  readonly hasJoins: boolean;
}

/** The run that a kernel was taken from. */
export interface KernelReference {
  /** Why the run stands for no launch, so that nothing is proved; `null` if it does. */
  readonly undecided: PlacedText | null;
  readonly faults: readonly ReferenceFault[];
  /** What the run assumed: each is part of every verdict. */
  readonly assumptions: readonly ReferenceAssumption[];
  /** Asynchronous work that reads memory which nothing writes; missing: none. */
  readonly unwritten?: readonly PlacedText[];
  /** Accesses that may happen or not, and if what: a race with one of them is not proved. */
  readonly possible: readonly PossibleAccess[];
  /** The kernel without them: an error of it is one for all data; missing where there are none. */
  readonly certain?: () => Kernel;
  /** The kernel with all that data decides asked; missing where nothing more is to be asked. */
  readonly closer?: CloserKernel;
  readonly coverage: ReferenceCoverage | null;
  /** What it uses of shared memory; missing where a bound ended it. */
  readonly shared?: () => SharedUse;
  /** What the launch leaves open in the run; missing where it leaves nothing open. */
  readonly ways?: Ways;
  /** The same kernel in other orders of its blocks: an error in one of them is an error. */
  readonly orders?: (isOver: () => boolean) => Iterable<OtherWay>;
  /**
   * The kernel with what its roles would do behind waits that they never pass; `null` where a bound
   * ends it. It says why a run got stuck, and proves nothing.
   */
  readonly ahead?: () => Kernel | null;
  /** Which other blocks do what those of the run do; missing: all were executed. */
  readonly blocks?: BlockClasses;
  /** What the text shows of arrivals that the run went past; `null` where a bound ends it. */
  readonly arrivals?: () => ArrivalsOfText | null;
  /** The blocks that alone were executed, as it was asked for; missing: all are meant. */
  readonly alone?: AloneBlocks;
  /** Words whose writes have the order of the run in each real schedule; missing: none. */
  readonly words?: readonly OrderedWord[];
  /** Relaxed and atomic accesses, and what the scope of one leaves out, if it does. */
  readonly strong?: readonly PlacedText[];
  /** Polls and writes that have to have the order of the run, lest a poll sees another value. */
  readonly guarded?: readonly PlacedText[];
  /** Fences that may not be executed: they count for no proof, and what they order is no error. */
  readonly fences?: readonly PlacedText[];
  /** Stores that must know of those before them, lest a poll that finds one misses the others. */
  readonly linked?: readonly PlacedText[];
  /** A load with a value that no schedule may lead to: what goes wrong then is no error. */
  readonly older?: PlacedText;
  /** Asynchronous stores of several agents into the same bytes, which may store the same. */
  readonly meeting?: readonly PlacedText[];
}
