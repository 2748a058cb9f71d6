// Options, bounds and the result of a run.
import type { Finding, Parameters } from '@poundlock/core/internal/finding';
import { option, optionTable, type OptionsOf } from '@poundlock/core/internal/base';
import { POLICY_NAMES } from '@poundlock/ring';
import type { Kernel } from '@poundlock/core/internal/program';
import type { Crew } from './crew.ts';

export const RUN = optionTable({
  /**
   * The module that exports the kernel, which each thread imports; the one that declares it unless
   * specified.
   */
  module: option.checkedLater<string | URL>(),
  /** The name of the kernel's export in that module; `default` unless specified. */
  export: option.text,
  /** How roles wait; `auto` unless specified. */
  policy: option.oneOf(...POLICY_NAMES),
  /**
   * Milliseconds after which the run ends without a result for every role; 10 minutes unless
   * specified.
   */
  timeoutMs: option.amount,
  /**
   * Whether to record every operation and to check that the record is a path of the model.
   * Otherwise, only the
   * first 4096 operations of each role are recorded.
   */
  conform: option.flag,
  /** The most operations of a role that are recorded (bound `max-records`). */
  maxRecords: option.amount,
  /** The seed of `choose`; 1 unless specified. */
  seed: option.amount,
  /** Ends the run. */
  signal: option.checkedLater<AbortSignal>(),
  /** Threads that several runs share; threads of its own unless specified. */
  crew: option.checkedLater<Crew>(),
  /** Modules that each thread imports before that of the kernel. */
  preload: option.checkedLater<readonly string[]>(),
});

/** Options of {@link run}. */
export interface RunOptions extends OptionsOf<typeof RUN> {}

/** The default of {@link RunOptions.timeoutMs}. */
export const DEFAULT_TIMEOUT_MS = 600_000;
/** The default of {@link RunOptions.maxRecords}. */
export const DEFAULT_MAX_RECORDS = 200_000;
export const SAMPLE_RECORDS = 4096;
/** The interval of the checks for deadlock. */
export const WATCH_MS = 20;
/** How long a role may continue after the run is over, before its thread is terminated. */
export const GRACE_MS = 200;

/** The result of {@link run} (JSON schema `poundlock/run@1`). */
export interface RunResult {
  /** The kernel's name. */
  readonly kernel: string;
  /** All parameters, with their defaults. */
  readonly params: Parameters;
  /** Stages that a role acquired as a consumer: of the ring and role with the most. */
  readonly items: number;
  /** Milliseconds from the start of the first role to the end of the last one. */
  readonly elapsedMs: number;
  /** Items per second. */
  readonly itemsPerSecond: number;
  /** Whether the record is a path of the model; `null` if nothing was recorded. */
  readonly conforms: boolean | null;
  /** What went wrong, explained as in `check`. */
  readonly findings: readonly Finding[];
  /**
   * What the roles did, as a kernel that `check` can certify; `null` if the recording is it was
   * recorded, or if on the order could the had other results.
   */
  readonly recorded: Kernel | null;
  /** Why it ended early, or does not conform. */
  readonly reason?: string;
}
