// A proof as an outcome: certified, with the warnings of every run, or why nothing is proved.
import type { Finding } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import type { Proof } from './certify/index.ts';
import { leftovers } from './leftovers.ts';
import type { CertificateOutcome } from './outcome.ts';
import type { Problem } from './problem.ts';

/** What a proof may take of the time: half of it where a search can follow. */
export function timeShare({ engine }: Problem): number {
  return engine === 'auto' ? 1 / 2 : 1;
}

export function certificateOf(
  program: Program,
  proof: Proof,
  divergence: readonly Finding[],
): CertificateOutcome {
  const { engine, failure, events, states, transitions, hasLeftovers, assumptions } = proof;
  const mayLeave = engine === 'hybrid' && hasLeftovers;
  const reason =
    failure?.why ?? (mayLeave ? 'a run can end with unfinished phases or allocations' : null);
  const warnings = reason === null && hasLeftovers ? leftovers(program) : [];
  // A proof about a nondeterministic role is void.
  const findings = reason === null && warnings.length === 0 ? divergence : warnings;
  const failed = failure === null ? {} : { failed: failure.condition };
  const effort = { engine, events, states, transitions };
  return { ...effort, findings, reason, divergence, assumptions, ...failed };
}
