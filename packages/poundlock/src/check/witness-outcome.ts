// Outcomes of one run that proves nothing: a counterexample built from it, or an ambiguous phase.
import { BoundError, InputError } from '@poundlock/core/internal/base';
import { NondeterminismError } from '@poundlock/core/internal/program';
import { Names, type System } from '@poundlock/core/internal/system';
import type { FailedCondition } from './certify/index.ts';
import { explainAll } from './explain-violations.ts';
import type { CertificateOutcome, Outcome } from './outcome.ts';
import { constructWitness, shrinkSchedule, witnessOf } from './witness/index.ts';

/**
 * A schedule that goes wrong, without a search, as the machine shows it: made from the condition
 * that failed, or else from cuts of a recorded run.
 */
export function construct(system: System, failure: FailedCondition | null): Outcome | null {
  try {
    const found =
      (failure === null ? null : witnessOf(system, failure)) ?? constructWitness(system);
    if (found === null) return null;
    system.program.alarm.stop();
    const witness = shrinkSchedule(system, found);
    const findings = explainAll(system, new Names(system), [witness], []);
    const notes = [NOT_SHORTEST];
    return {
      engine: 'witness',
      events: witness.path.length,
      findings: findings.map((one) => ({ ...one, notes: [...one.notes, ...notes] })),
      reason: null,
      states: 0,
      transitions: 0,
    };
  } catch (error) {
    // The search meets the same error, and reports it.
    const isKnown = [BoundError, InputError, NondeterminismError].some(
      (one) => error instanceof one,
    );
    if (isKnown) return null;
    throw error;
  }
}

const NOT_SHORTEST =
  'this schedule was constructed from one run, without a search: it may not be the shortest';

/** Says of a program that a search has certified why one run did not. */
export function ambiguous(searched: Outcome, certified: CertificateOutcome | null): Outcome {
  const { failure, reason } = certified ?? {};
  if (searched.reason !== null || searched.findings.length > 0) return searched;
  if (failure === undefined || !AMBIGUITIES.has(failure.condition)) return searched;
  const note = `phases are ambiguous, but no failing schedule was found: ${reason}`;
  return { ...searched, notes: [note] };
}

/** Conditions whose failure means that a phase is not the same in every schedule. */
const AMBIGUITIES: ReadonlySet<FailedCondition['condition']> = new Set(['M', 'L', 'U', 'E', 'X']);
