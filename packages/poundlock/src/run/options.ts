// Options, bounds and the result of a run.
import type { Finding, Parameters } from '@poundlock/core/internal/finding';
import type { PolicyName } from '@poundlock/ring';
import type { Kernel } from '@poundlock/core/internal/program';
import type { Crew } from './crew.ts';

export interface RunOptions {
  /**
   * The module that exports the kernel, for the threads to import; by default the module that
   * declares the kernel. `export` is the name of its export, by default `default`.
   */
  readonly module?: string | URL;
  readonly export?: string;
  /** How roles wait: `auto` by default. */
  readonly policy?: PolicyName;
  /** Ends the run as inconclusive after this many milliseconds; 10 minutes by default. */
  readonly timeoutMs?: number;
  /**
   * Records every operation and checks that they are a path of the machine. Without it, only the
   * first {@link SAMPLE_RECORDS} operations of each role are.
   */
  readonly conform?: boolean;
  /** The most operations of a role that are recorded (bound `max-records`). */
  readonly maxRecords?: number;
  /** For `choose`. */
  readonly seed?: number;
  /** Ends the run. */
  readonly signal?: AbortSignal;
  /** Threads to share between many runs; by default the run creates its own. */
  readonly crew?: Crew;
  /** Modules that each thread imports before the kernel's. */
  readonly preload?: readonly string[];
}

export const DEFAULT_TIMEOUT_MS = 600_000;
export const DEFAULT_MAX_RECORDS = 200_000;
export const SAMPLE_RECORDS = 4096;
/** The interval of the checks for deadlock. */
export const WATCH_MS = 20;
/** How long a role may continue after the run is over, before its thread is terminated. */
export const GRACE_MS = 200;

/** The result of a run (`poundlock/run@2` without `schema`). */
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
   * What the roles did, as a program that `check` can certify; `null` if the recording is
   * incomplete, or if a result depends on the order of the roles.
   */
  readonly recorded: Kernel | null;
  /** Why it ended early, or does not conform. */
  readonly reason?: string;
}
