// What is known of a kernel that was taken from a run of another program instead of written.
import type { Position } from '../base/index.ts';
import type { Kernel } from './kernel.ts';

/** A sentence without a period, and the place it is about. */
export interface PlacedText {
  readonly text: string;
  readonly position?: Position;
}

/** A mistake that the run itself met. */
export interface ReferenceFault extends PlacedText {
  readonly rule:
    | 'over-arrival'
    | 'out-of-bounds'
    | 'misaligned'
    | 'barrier-count'
    | 'trap'
    | 'uninitialized-barrier'
    | 'tensor-map'
    | 'tensor-memory';
}

/** How much of the other program the run executed, in instructions. */
export interface ReferenceCoverage {
  readonly instructions: number;
  readonly reached: number;
  readonly synchronizing: number;
  readonly synchronizingReached: number;
  /** The synchronizing instructions that were not reached; empty if all were. */
  readonly missed: string;
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
  readonly kernels: readonly PeriodicKernel[];
}

/** The run that a kernel was taken from. */
export interface KernelReference {
  /** Why the run stands for no launch, so that nothing is proved; `null` if it does. */
  readonly undecided: PlacedText | null;
  readonly faults: readonly ReferenceFault[];
  /** What the run assumed: each is part of every verdict. */
  readonly assumptions: readonly PlacedText[];
  /** Accesses that may happen or not: a race with one of them is not proved. */
  readonly possible: readonly PlacedText[];
  readonly coverage: ReferenceCoverage | null;
}
