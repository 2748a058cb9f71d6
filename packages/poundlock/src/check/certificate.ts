// A proof as an outcome: certified, with the warnings of every run, or why nothing is proved.
import type { Finding } from '@poundlock/core/internal/finding';
import type { Budget } from './budget.ts';
import type { Proof, ProofBounds } from './certify/index.ts';
import { leftovers, withoutRun } from './leftovers.ts';
import { practicesOf, scopeOf } from './memory-findings.ts';
import type { CertificateOutcome } from './outcome.ts';
import type { Problem } from './problem.ts';

/** What a proof may take of the time: half of it where a search can follow. */
export function timeShare({ engine }: Problem): number {
  return engine === 'auto' ? 1 / 2 : 1;
}

/** What bounds the proofs of a problem, and which memory profile they have. */
export function boundsOf(
  { question }: Problem,
  { maxEvents, maxStates, pause }: Budget,
): ProofBounds {
  return { maxEvents, maxStates, pause, memory: question.memory };
}

export function certificateOf(
  { program, question }: Problem,
  proof: Proof,
  divergence: readonly Finding[],
  ofMemory: readonly Finding[] = [],
): CertificateOutcome {
  const { engine, failure, events, states, transitions, hasLeftovers, assumptions } = proof;
  const mayLeave = engine === 'hybrid' && hasLeftovers;
  const reason =
    failure?.why ?? (mayLeave ? 'a run can end with unfinished phases or allocations' : null);
  const show = question.isVerdictAlone === true ? withoutRun : leftovers;
  const left = reason === null && hasLeftovers ? show(program) : [];
  const warnings = [...ofMemory, ...left];
  // A proof about a nondeterministic role is void.
  const isShown = failure?.memory !== undefined && ofMemory.length > 0;
  const findings = reason === null && warnings.length === 0 ? divergence : warnings;
  const effort = { engine, events, states, transitions };
  const rests = [...assumptions, ...practicesOf(proof)];
  const why = isShown ? null : reason;
  return {
    ...effort,
    findings,
    reason: why,
    divergence,
    assumptions: rests,
    ...(failure === null ? {} : { failure }),
    ...scopeOf(proof),
  };
}
