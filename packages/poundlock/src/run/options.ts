// What a run can be asked, and its bounds.
import type { Finding, Parameters } from '@poundlock/core/internal/finding';
import type { PolicyName } from '@poundlock/ring';
import type { Kernel } from '@poundlock/core/internal/program';
import type { Crew } from './crew.ts';

export interface RunOptions {
  /**
   * The module that exports the kernel, for the threads to import; where the kernel was declared
   * unless given. `export` is the name of its export, `default` unless given.
   */
  readonly module?: string | URL;
  readonly export?: string;
  /** How roles wait: `auto` unless given. */
  readonly policy?: PolicyName;
  /** Ends the run as inconclusive after so many milliseconds; 10 minutes unless given. */
  readonly timeoutMs?: number;
  /**
   * Records every operation and shows that they are a path of the machine. Without it the first
   * operations of each role are: {@link SAMPLE_RECORDS} of them.
   */
  readonly conform?: boolean;
  /** The most operations of a role that are recorded (bound `max-records`). */
  readonly maxRecords?: number;
  /** For `choose`. */
  readonly seed?: number;
  /** Ends the run. */
  readonly signal?: AbortSignal;
  /** Threads to run on, for many runs; threads of its own unless given. */
  readonly crew?: Crew;
  /** Modules that each thread imports before the kernel's. */
  readonly preload?: readonly string[];
}

export const DEFAULT_TIMEOUT_MS = 600_000;
export const DEFAULT_MAX_RECORDS = 200_000;
export const SAMPLE_RECORDS = 4096;
/** How often the run is watched. */
export const WATCH_MS = 20;
/** How long a role may go on after the run is over, before its thread is ended. */
export const GRACE_MS = 200;

/** What a run answers (`poundlock/run@2`, but for `schema`). */
export interface RunResult {
  readonly kernel: string;
  readonly params: Parameters;
  /** Tiles that a role took as a consumer: of the ring and role with the most. */
  readonly items: number;
  readonly elapsedMs: number;
  readonly itemsPerSecond: number;
  /** Whether what was recorded is a path of the machine; `null` where nothing was recorded. */
  readonly conforms: boolean | null;
  readonly findings: readonly Finding[];
  /**
   * What the roles did, as a program of its own that `check` can certify; `null` where not all of
   * it was recorded, or where they asked what another order would have answered otherwise.
   */
  readonly recorded: Kernel | null;
  /** Why it ended early, or does not conform. */
  readonly reason?: string;
}
