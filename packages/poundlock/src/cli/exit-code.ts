// Exit codes of the process: one rule for every verb.
import { BoundError, NotTimedError, ViolationError } from '@poundlock/core/internal/base';
import type { FailureVerdict, Verdict } from '@poundlock/core/internal/finding';

export const ExitCode = { clean: 0, findings: 1, couldNotRun: 2, inconclusive: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const BY_VERDICT: Readonly<Record<Verdict, ExitCode>> = {
  certified: ExitCode.clean,
  counterexample: ExitCode.findings,
  inconclusive: ExitCode.inconclusive,
};

const WORST_FIRST = [ExitCode.couldNotRun, ExitCode.findings, ExitCode.inconclusive];

/** The exit code of a verdict; without one, nothing could run. */
export function exitCodeOf(verdict: Verdict | undefined): ExitCode {
  return verdict === undefined ? ExitCode.couldNotRun : BY_VERDICT[verdict];
}

/**
 * What an error that ended the work of a verb says of the kernel: that it is wrong, or nothing,
 * because a bound was reached; `undefined` where it could not run.
 */
export function verdictOfError(error: unknown): FailureVerdict | undefined {
  if (error instanceof BoundError || error instanceof NotTimedError) return 'inconclusive';
  return error instanceof ViolationError ? 'counterexample' : undefined;
}

/** The exit code of several results: 2 > 1 > 3 > 0. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? ExitCode.clean;
}
