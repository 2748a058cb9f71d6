// A proof as an outcome: certified, with the warnings of every run, or why nothing is proved.
import type { Finding } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import { endSymptoms, Names, Schedule, type Move } from '@poundlock/core/internal/system';
import type { Proof } from './certify/index.ts';
import { explainAll } from './explain-violations.ts';
import type { CertificateOutcome } from './outcome.ts';
import { Packing } from './packing.ts';
import type { Problem } from './problem.ts';
import { unfold } from './search-space.ts';
import { sampleRun } from './sample-run.ts';

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

/** What every run of a certified program leaves behind, shown on one sample run. */
function leftovers(program: Program): Finding[] {
  const { system, unfolding } = unfold(program);
  const packing = new Packing(system.machine, system.initial());
  const path: Move[] = [];
  sampleRun(program, unfolding, system, packing, path);
  const { words } = new Schedule(system, new Names(system), path);
  const symptoms = system.isFinal(words) ? endSymptoms(system, words) : [];
  const warnings = symptoms.map((symptom) => ({ symptom, path }));
  return explainAll(system, new Names(system), [], warnings);
}
