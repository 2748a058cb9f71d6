// What an engine came to: findings, or why there are none, and what it took.
import type { Example, Finding } from '../finding/index.ts';
import type { Undecided } from './certify/index.ts';

export interface Outcome {
  readonly engine: string;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said, or `null` when every state was seen. */
  readonly reason: string | null;
  readonly states: number;
  readonly transitions: number;
  readonly example?: Example;
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence?: readonly Finding[];
  /** The condition of the certificate that failed, if it was one. */
  readonly failed?: Undecided['condition'];
  readonly notes?: readonly string[];
}
