// Findings of the flow analysis, before they are rendered as messages.
import type { FunctionNode, SourceFile } from '../syntax/node.ts';
import type { LeakCause } from './cause.ts';
import type { Instance, SourceRange } from './state.ts';

export type FindingKind =
  | 'leak'
  | 'double-release'
  | 'use-after-release'
  | 'escaping-handle'
  | 'release-order'
  | 'floating-op'
  | 'await-in-role'
  | 'loop-captures'
  | 'nondeterministic-role';

export interface FlowFinding {
  readonly kind: FindingKind;
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  readonly instance: Instance | undefined;
  /** The exception that causes it, if there is one. */
  readonly cause: LeakCause | undefined;
  /** The related position: the first release, the end of the scope, the live child. */
  readonly other: SourceRange | undefined;
  /** The operation as written in the source: `h.use()`. */
  readonly what: string;
  /** The reason, where the kind alone is ambiguous. */
  readonly reason: Reason | undefined;
  /** The walked function or module: the finding may be in a function that it calls. */
  readonly walked?: FunctionNode | SourceFile;
  /** The walked code releases the handle on another path. */
  readonly isReleasedElsewhere?: boolean;
}

export type Reason =
  | 'dropped'
  | 'overwritten'
  | 'not-chained'
  | 'pending'
  | 'late-closure'
  | 'moved'
  | 'scoped'
  | 'borrowed'
  | 'never-released-field'
  | 'parameter'
  | 'unstarted';

/** The source text of a range, shortened. */
export function excerpt({ file, start, end }: SourceRange): string {
  const text = file.text.slice(start, end).replaceAll(/\s+/g, ' ');
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT - 1)}…`;
}

const MAX_EXCERPT = 60;
