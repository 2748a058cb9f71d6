// The options of `certify`: which launch of a kernel as built, and how long and how to check.
import type { CheckOptions } from '../check/index.ts';
import type { ParameterValue } from '@poundlock/core/internal/finding';

/** Values of parameters by name; a list stands for a check with each of its values. */
export type ParameterGrid = Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>;

/** Which launch of which kernel, where the kernel is a PTX file. */
export interface LaunchOptions {
  /** The launch file; one beside the PTX file unless specified. */
  readonly launch?: string | URL;
  /** The kernel, by its name or a part of it, where the PTX has several. */
  readonly entry?: string;
  /** The launch in the file, from 0; the first one, and then all others, unless specified. */
  readonly launchIndex?: number;
  /** Whether boxes of tensor maps that the launch leaves out may be solved from expected bytes. */
  readonly assumeBoxes?: boolean;
}

/** Options of {@link certify}. */
export interface CertifyOptions
  extends
    LaunchOptions,
    Pick<CheckOptions, 'every' | 'memory' | 'sizes' | 'engine' | 'maxStates' | 'maxEvents'> {
  /** Milliseconds for each check before it is inconclusive; 60,000 unless specified. */
  readonly timeoutMs?: number;
  /** Whether a check that a bound ends passes, too; it does not unless specified. */
  readonly allowInconclusive?: boolean;
  /**
   * A replay token: this one schedule is executed, and the message shows each of its steps. That
   * never passes, since one schedule proves nothing.
   */
  readonly replay?: string;
}

/** Milliseconds for each check, unless specified. */
export const DEFAULT_TIMEOUT_MS = 60_000;
/** Smaller sizes that are tried to show a finding. */
export const SHRINK_TRIES = 32;
