// What an engine came to: findings, or why there are none, and what it took.
import type { ExampleSchedule, Finding } from '@poundlock/core/internal/finding';
import { formatNumber } from '@poundlock/core/internal/system';
import type { Undecided } from './certify/index.ts';
import type { CheckOptions } from './options.ts';

export interface Outcome {
  readonly engine: string;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Why nothing can be said, or `null` when every state was seen. */
  readonly reason: string | null;
  readonly states: number;
  readonly transitions: number;
  readonly example?: ExampleSchedule;
  /** A role that did something else in its second instance, as a finding. */
  readonly divergence?: readonly Finding[];
  /** The condition of the certificate that failed, if it was one. */
  readonly failed?: Undecided['condition'];
  readonly notes?: readonly string[];
}

/** Why a check must end now, or `null`. */
export function stopReason(options: CheckOptions, started: number): string | null {
  const { timeoutMs, now = () => 0, shouldStop } = options;
  if (shouldStop?.() === true) return 'it was interrupted';
  if (timeoutMs === undefined || now() - started <= timeoutMs) return null;
  return `the bound timeout of ${formatNumber(timeoutMs)} ms was reached`;
}
