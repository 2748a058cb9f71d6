// Memory beside a search: a search decides the order of accesses, and a certificate its levels.
import type { Finding } from '@poundlock/core/internal/finding';
import type { Budget } from './budget.ts';
import { hasError, type CertificateOutcome, type Outcome } from './outcome.ts';
import { practicesOfSearch } from './memory-findings.ts';
import type { Problem } from './problem.ts';
import { proveByEveryChoice, proveFromOneRun } from './deciders/index.ts';

/** Whether a profile applies to a program: the one that is asked for, or the program's own. */
function hasProfile({ program, question: { memory } }: Problem): boolean {
  return memory === undefined ? program.usesMemory : memory !== 'none';
}

/**
 * A search that finds nothing wrong says nothing of memory. Where a certificate can be had, it
 * decides; else the verdict is open.
 */
export async function withMemory(
  problem: Problem,
  budget: Budget,
  outcome: Outcome,
): Promise<Outcome> {
  const isDecided = outcome.engine === 'certify' || outcome.engine === 'hybrid';
  if (isDecided || hasError(outcome) || outcome.reason !== null) return outcome;
  if (problem.question.replay !== undefined) return outcome;
  if (!hasProfile(problem)) return withPractices(problem, outcome);
  if (problem.question.example === true) return outcome;
  budget.share = 1;
  const proof = await certificateFor(problem, budget);
  if (proof !== null && proof.reason === null) {
    const { findings, assumptions = [] } = proof;
    const isNew = ({ rule }: Finding): boolean =>
      outcome.findings.every((found) => found.rule !== rule);
    const all = [...findings.filter(isNew), ...outcome.findings];
    return {
      ...outcome,
      findings: all,
      assumptions: [...(outcome.assumptions ?? []), ...assumptions],
      ...(proof.memory === undefined ? {} : { memory: proof.memory }),
    };
  }
  const why = proof?.reason ?? 'its roles are not run as they are written';
  return {
    ...outcome,
    reason: `every order of accesses was searched, but levels of memory need a certificate: ${why}`,
  };
}

/** What the search of a problem relies on is assumed. */
function withPractices(problem: Problem, outcome: Outcome): Outcome {
  const practices = practicesOfSearch(problem.runnable.system.machine);
  if (practices.length === 0) return outcome;
  return { ...outcome, assumptions: [...(outcome.assumptions ?? []), ...practices] };
}

/** The certificate of a problem, which other engines have not asked for. */
async function certificateFor(
  problem: Problem,
  budget: Budget,
): Promise<CertificateOutcome | null> {
  if (problem.certificate === null) await proveFromOneRun(problem, budget);
  if (problem.certificate?.failure?.condition === 'choice')
    await proveByEveryChoice(problem, budget);
  return problem.certificate;
}

/**
 * A schedule that ends with a finding about memory: no state shows it, but the certificate does,
 * which has the same schedule.
 */
export async function replayMemory(problem: Problem, budget: Budget): Promise<Outcome | null> {
  const { replay, memory } = problem.question;
  if (replay === undefined || memory === 'none' || problem.origin !== 'roles') return null;
  const proof = await certificateFor(problem, budget);
  const found = proof?.findings.find(({ replayToken }) => replayToken === replay);
  if (proof === null || found === undefined) return null;
  return { ...proof, engine: 'replay', findings: [found], reason: null, events: 0 };
}
