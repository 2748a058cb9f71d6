// A finding is data; terminal, JSON, SARIF and the others are renderings of it.
import type { Parameters } from './result.ts';
import type { RuleId, Severity } from './rule.ts';
import type { Standing, TraceStep } from './trace.ts';

/** A place in the user's source with what happens there. Lines and columns start at 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly role?: string;
  readonly text: string;
}

/** The same finding with smaller parameters. */
export interface ShrunkFinding {
  /** The parameters that differ from those that were checked. */
  readonly params: Parameters;
  readonly steps: number;
  /** As in {@link Finding}. */
  readonly replay: string;
}

/**
 * Something poundlock found. `message` is one sentence with the cause in it; `labels` show every
 * other party; a help is only there when it is sure. `replay` is the token of the schedule, which
 * the command line extends to the command that replays it.
 */
export interface Finding {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly message: string;
  readonly primary: SourceLocation;
  readonly labels: readonly SourceLocation[];
  readonly notes: readonly string[];
  readonly helps: readonly string[];
  readonly trace?: readonly TraceStep[];
  /** Where everybody stands after the last step, and who still owes what. */
  readonly standing?: readonly Standing[];
  readonly replay?: string;
  /** The smallest parameters that show it, too. */
  readonly also?: ShrunkFinding;
}
