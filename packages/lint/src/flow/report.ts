// What the analysis finds, before it is put into words.
import type { SourceFile } from '../syntax/node.ts';
import type { Cause } from './cause.ts';
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
  /** The exception that loses it, if it takes one. */
  readonly cause: Cause | undefined;
  /** Where the other party stands: the first release, the end of the scope, the living child. */
  readonly other: SourceRange | undefined;
  /** What was done at the place, as the source says it: `h.use()`. */
  readonly what: string;
  /** Why, where the kind alone does not say it. */
  readonly reason: Reason | undefined;
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

/** A place as text, shortened. */
export function excerpt({ file, start, end }: SourceRange): string {
  const text = file.text.slice(start, end).replaceAll(/\s+/g, ' ');
  return text.length <= MAX_EXCERPT ? text : `${text.slice(0, MAX_EXCERPT - 1)}…`;
}

const MAX_EXCERPT = 60;
