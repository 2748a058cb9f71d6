// What a reporter is given and what it is: a pure function from results to text.
import type { CheckResult, Parameters, RuleId, RulePage } from '@poundlock/core/internal/finding';
import type { SourceLine } from './frame.ts';
import type { Paint } from './paint.ts';

/** A kernel that was checked. Places and replay commands are ready to be shown. */
export interface Checked {
  readonly file: string;
  readonly result: CheckResult;
}

/** A file that could not be run: `error` is one sentence, `at` its place where one is known. */
export interface Failed {
  readonly file: string;
  readonly at?: { readonly file: string; readonly line: number; readonly column: number };
  readonly params?: Parameters;
  readonly error: string;
}

export type Outcome = Checked | Failed;

export interface CheckReport {
  readonly outcomes: readonly Outcome[];
  /** Several files, a sweep or cases were asked for, even if only one of them came out. */
  readonly many: boolean;
  /** How many more were asked for and not started, because the user interrupted. */
  readonly skipped: number;
}

/** What a reporter needs to know of its surroundings. */
export interface Surroundings {
  readonly paint: Paint;
  readonly sourceLine: SourceLine;
  /** How much of the schedules to show; the middle of a long one can be folded. */
  readonly schedules: 'hidden' | 'folded' | 'whole';
  /** The explanation of a rule, for reports that carry it: SARIF. */
  readonly rulePage: (rule: RuleId) => RulePage;
  /** The version of poundlock. */
  readonly version: string;
}

/** A rendering: `terminal`, `json`, `sarif` … A new one is a file here and a line in the index. */
export interface Reporter {
  readonly name: string;
  readonly render: (report: CheckReport, surroundings: Surroundings) => string;
}

export function isChecked(outcome: Outcome): outcome is Checked {
  return 'result' in outcome;
}
