// A finding is data; terminal, JSON, SARIF and the others are renderings of it.
import type { INSTRUCTION, PtxLine } from '../base/index.ts';
import type { FindingRest } from './launch-scope.ts';
import type { Parameters } from './result.ts';
import type { RuleId, Severity } from './rule.ts';
import type { Standing, TraceStep } from './trace.ts';

/** A location in the user's source with what happens there. Lines and columns start at 1. */
export interface SourceLocation {
  /** @internal */
  readonly [INSTRUCTION]?: number;
  /** A path or a file URL. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** The role that executes the line. */
  readonly role?: string;
  /** What happens there, in a few words. */
  readonly text: string;
  /** Of a kernel as built: the line of its PTX, where that is another file. */
  readonly ptx?: PtxLine;
}

/** A schedule that can be repeated. */
export interface Replayable {
  /** The schedule as a token: what the option `replay` of `check` takes. */
  readonly replayToken: string;
  /** The shell command that shows it; the command line adds it, since it knows the file. */
  readonly replayCommand?: string;
}

/** The same finding with smaller parameters. */
export interface ShrunkFinding extends Replayable {
  /** The parameters that differ from those that were checked. */
  readonly params: Parameters;
  /** The number of steps of its schedule. */
  readonly steps: number;
}

/** One of two accesses that no barrier orders. */
export interface RacingAccess {
  /** The role that makes it, or that issued the asynchronous work which does. */
  readonly role: string;
  /** The step that made or issued it, from 1; `null` where it is the role's next operation. */
  readonly step: number | null;
}

/** A problem that poundlock found, with the cause and every role that takes part. */
export interface Finding extends Partial<Replayable> {
  /** The rule that is broken: see `poundlock explain RULE`. */
  readonly rule: RuleId;
  /** An error makes a verdict a counterexample; a note is about code of tests. */
  readonly severity: Severity | 'note';
  /** Whether it rests on a guess about the launch: it is no counterexample then. */
  readonly possible?: true;
  /** The guesses that it rests on; absent where it rests on none. */
  readonly rests?: readonly FindingRest[];
  /** One sentence with the cause in it. */
  readonly message: string;
  /** The location to look at first. */
  readonly primary: SourceLocation;
  /** The other locations that take part. */
  readonly labels: readonly SourceLocation[];
  /** Facts that explain it, a sentence each. */
  readonly notes: readonly string[];
  /** How to fix it, where that is certain. */
  readonly helps: readonly string[];
  /** The schedule that leads to it. */
  readonly trace?: readonly TraceStep[];
  /** Of a race: both accesses, where a schedule shows them. */
  readonly accesses?: readonly RacingAccess[];
  /** What each role and unit does after the last step, and which arrivals are still missing. */
  readonly standing?: readonly Standing[];
  /** The parameters that differ from those of the result, where it occurs with other ones. */
  readonly params?: Parameters;
  /** The launch of a kernel as built, where it occurs in another one than the requested. */
  readonly launch?: { readonly file: string; readonly index: number };
  /** The blocks of a kernel as built that are executed, where these are not the first ones. */
  readonly blocks?: readonly (readonly [x: number, y: number, z: number])[];
  /** The smallest parameters that show the same finding. */
  readonly also?: ShrunkFinding;
}
