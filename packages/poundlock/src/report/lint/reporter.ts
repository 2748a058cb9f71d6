// What a reporter of `lint` is.
import type { LintReport } from '@poundlock/core/internal/finding';
import type { Surroundings } from '../report.ts';

/** A rendering of what `lint` found. A new one is a file here and a line in the index. */
export interface LintReporter {
  readonly name: string;
  readonly render: (report: LintReport, surroundings: Surroundings) => string;
}
