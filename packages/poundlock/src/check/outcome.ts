// What a decider came to: findings, or why there are none, and what it took.
import type {
  Assumption,
  CheckResult,
  EngineName,
  ExampleSchedule,
  Finding,
  MemoryScope,
  SearchProgress,
  Verdict,
} from '@poundlock/core/internal/finding';
import type { FailedCondition } from './certify/index.ts';

export interface Outcome {
  readonly engine: EngineName;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said, or `null` when every state was seen. */
  readonly reason: string | null;
  readonly states: number;
  readonly transitions: number;
  /** How far a search came that a bound ended. */
  readonly unfinished?: SearchProgress;
  readonly example?: ExampleSchedule;
  readonly notes?: readonly string[];
  /** What the verdict rests on beyond what was proved. */
  readonly assumptions?: readonly Assumption[];
  /** What was checked of memory. */
  readonly memory?: MemoryScope;
}

/** What the attempt at a certificate came to: also what later deciders have to know of it. */
export interface CertificateOutcome extends Outcome {
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence: readonly Finding[];
  /** The condition of the certificate that failed, if it was one. */
  readonly failure?: FailedCondition;
}

/** What a decider has done that came to nothing. */
export const NOTHING = { engine: 'search', events: 0, states: 0, transitions: 0 } as const;

/** What a check took; of one that is inconclusive, how far its search came. */
export function statsOf(
  { engine, events, states, transitions, unfinished }: Outcome,
  verdict: Verdict,
  elapsedMs: number,
): CheckResult['stats'] {
  const stats = { engine, events, states, transitions, elapsedMs };
  const isOpen = verdict === 'inconclusive' && unfinished !== undefined;
  return isOpen ? { ...stats, unfinished } : stats;
}

export function hasError({ findings }: Pick<Outcome, 'findings'>): boolean {
  return findings.some(({ severity }) => severity === 'error');
}
