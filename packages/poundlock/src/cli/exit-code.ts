// Exit codes of the process.
import type { Verdict } from '@poundlock/core/internal/finding';

export const ExitCode = { clean: 0, findings: 1, couldNotRun: 2, inconclusive: 3 } as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

const BY_VERDICT: Readonly<Record<Verdict, ExitCode>> = {
  certified: ExitCode.clean,
  counterexample: ExitCode.findings,
  inconclusive: ExitCode.inconclusive,
};

const WORST_FIRST = [ExitCode.couldNotRun, ExitCode.findings, ExitCode.inconclusive];

export function exitCodeOf(verdict: Verdict): ExitCode {
  return BY_VERDICT[verdict];
}

/** The exit code of several results: 2 > 1 > 3 > 0. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return WORST_FIRST.find((code) => codes.includes(code)) ?? ExitCode.clean;
}
