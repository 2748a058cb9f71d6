// A kind of random program: how it is drawn, looked at, made smaller, and checked by hand.
import type { Kernel } from '@poundlock/core/internal/program';
import type { Checker, CheckerOptions } from './checker.ts';
import type { Looked } from './looked.ts';

/** Where a program comes from: the seed of its chunk, and which of the programs of its kind. */
export interface DrawnAt {
  /** The seed of its chunk. */
  readonly seed: number;
  /** Which of the programs of its kind. */
  readonly at: number;
}

/** Whether a program still shows what a larger one showed. */
export type Shows<T> = (program: T) => Promise<boolean>;

/** A kind of random programs, and an independent truth about them. */
export interface FuzzKind<T> {
  readonly title: string;
  /** Programs in a chunk. */
  readonly share: number;
  /** Draws so many programs; the same seed draws the same. */
  readonly draw: (seed: number, many: number) => readonly T[];
  /** Checks a program and compares the verdict with the truth. */
  readonly look: (check: Checker, program: T) => Promise<Looked>;
  /** A smaller program that still shows the same. */
  readonly minimize: (program: T, shows: Shows<T>, drawn: DrawnAt) => Promise<T>;
  /** The kernel of a program. */
  readonly kernel: (program: T) => Kernel;
  /** What the programs are checked with. */
  readonly memory: CheckerOptions['memory'];
}
