// The result of one run of `lint`, as data: findings of files, and what was left out on purpose.
import type { Finding } from './finding.ts';

/** Text to put in place of a part of a file; offsets from 0. */
export interface LintEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface LintFix {
  readonly title: string;
  readonly isSafe: boolean;
  readonly edits: readonly LintEdit[];
}

export interface ReportedFinding extends Finding {
  readonly fixes: readonly LintFix[];
}

export interface LintReport {
  readonly findings: readonly ReportedFinding[];
  /** How many files were looked at. */
  readonly files: number;
  /** How many were not, for their syntax: findings of them are not known. */
  readonly unread: number;
  /** Findings that a comment with a reason suppresses, and those that the baseline knows. */
  readonly suppressed: number;
  readonly known: number;
  /** Fixes that were written. */
  readonly fixed: number;
  readonly elapsedMs: number;
}
