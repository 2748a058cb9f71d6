// What is under test: a checker of kernels, as `poundlock/check` is one.
import type { CheckResult } from '@poundlock/core/internal/finding';
import type { Kernel } from '@poundlock/core/internal/program';

/** The options of `check` that random programs are checked with. */
export interface CheckerOptions {
  /** Which rules of memory; the searches that programs are compared with know some of them. */
  readonly memory: 'none' | 'practice' | 'isa';
  /** Which engine answers; unless specified, whichever can. */
  readonly engine?: 'auto' | 'certify' | 'search' | 'reduced';
  /** `requested`: no other sizes than those of the program. */
  readonly sizes?: 'requested';
  /** A count that the verdict is wanted for every number of. */
  readonly every?: string;
  /** The schedule of a finding. */
  readonly replay?: string;
  /** The most states of a search. */
  readonly maxStates?: number;
  /** The most events of the run of a certificate. */
  readonly maxEvents?: number;
  /** For a checker with a clock; one without has to leave it out. */
  readonly timeoutMs?: number;
}

/** Checks a kernel: `check` of `poundlock/check`, with a clock or without one. */
export type Checker = (kernel: Kernel, options: CheckerOptions) => Promise<CheckResult>;
