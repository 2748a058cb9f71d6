// A finding is data; terminal, JSON, SARIF and the others are renderings of it.
import type { Parameters } from './result.ts';
import type { RuleId, Severity } from './rule.ts';
import type { Standing, TraceStep } from './trace.ts';

/** A place in the user's source with what happens there. Lines and columns start at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly role?: string;
  readonly text: string;
}

/** A schedule that can be repeated. */
export interface Replayable {
  /** The schedule as a token: what the option `replay` of `check` takes. */
  readonly replayToken: string;
  /** The shell command that shows it; the command line adds it, since it knows the file. */
  readonly replayCommand?: string;
}

/** The same finding with smaller parameters. */
export interface Smaller extends Replayable {
  /** The parameters that differ from those that were checked. */
  readonly params: Parameters;
  readonly steps: number;
}

/**
 * Something poundlock found. `message` is one sentence with the cause in it; `labels` show every
 * other party; a help is only there when it is sure. A finding without a schedule has no token.
 */
export interface Finding extends Partial<Replayable> {
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly message: string;
  readonly primary: Place;
  readonly labels: readonly Place[];
  readonly notes: readonly string[];
  readonly helps: readonly string[];
  readonly trace?: readonly TraceStep[];
  /** Where every role and unit is after the last step, and which arrivals it still owes. */
  readonly standing?: readonly Standing[];
  /** The smallest parameters that show it, too. */
  readonly also?: Smaller;
}
