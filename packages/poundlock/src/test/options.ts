// The options of `certify`: which launch of a kernel as built, and how long and how to check.
import { option, optionTable, type OptionsOf } from '@poundlock/core/internal/base';
import { CHECK } from '../check/index.ts';
import type { ParameterValue } from '@poundlock/core/internal/finding';

/** Values of parameters by name; a list stands for a check with each of its values. */
export type ParameterGrid = Readonly<Record<string, ParameterValue | readonly ParameterValue[]>>;

export const LAUNCH = optionTable({
  /** The launch file; one beside the PTX file unless specified. */
  launch: option.checkedLater<string | URL>(),
  /** The kernel, by its name or a part of it, where the PTX has several. */
  entry: option.text,
  /** The launch in the file, from 0; the first one, and then all others, unless specified. */
  launchIndex: option.amount,
  /** Whether boxes of tensor maps that the launch leaves out may be solved from expected bytes. */
  assumeBoxes: option.flag,
});

/** Which launch of which kernel, where the kernel is a PTX file. */
export interface LaunchOptions extends OptionsOf<typeof LAUNCH> {}

export const CERTIFY = optionTable({
  ...LAUNCH.values,
  accept: CHECK.values.accept,
  every: CHECK.values.every,
  memory: CHECK.values.memory,
  sizes: CHECK.values.sizes,
  deny: CHECK.values.deny,
  engine: CHECK.values.engine,
  maxStates: CHECK.values.maxStates,
  maxEvents: CHECK.values.maxEvents,
  /** Milliseconds for each check before it is inconclusive; 60,000 unless specified. */
  timeoutMs: option.amount,
  /** Whether a check that a bound ends passes, too; it does not unless specified. */
  allowInconclusive: option.flag,
  /**
   * A replay token: this one schedule is executed, and the message shows each of its steps. That
   * never passes, since one schedule proves nothing.
   */
  replay: option.text,
});

/** Options of {@link certify}. */
export interface CertifyOptions extends OptionsOf<typeof CERTIFY> {}

/** Milliseconds for each check, unless specified. */
export const DEFAULT_TIMEOUT_MS = 60_000;
/** Smaller sizes that are tried to show a finding. */
export const SHRINK_TRIES = 32;
