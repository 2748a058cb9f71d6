// The exit code of a sweep: the worst of its rows.
import type { SweepReport } from '../../report/sweeps/index.ts';
import { ExitCode, exitCodeOf, worst } from '../exit-code.ts';

/** 2 where a row could not run, then 1 for a counterexample, 3 for what is undecided or not run. */
export function sweepExitCode({ rows }: SweepReport): ExitCode {
  return worst(
    rows.flatMap(({ error, errorVerdict, check, isMissing }) => [
      ...(error === undefined ? [] : [exitCodeOf(errorVerdict)]),
      ...(check === undefined ? [] : [exitCodeOf(check.verdict)]),
      ...(isMissing ? [ExitCode.inconclusive] : []),
    ]),
  );
}
