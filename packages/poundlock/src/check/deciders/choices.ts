// Certifies a program with choices: one run for each order in which they can be made.
import { BoundError } from '@poundlock/core/internal/base';
import type { Finding } from '@poundlock/core/internal/finding';
import { repeatedStep, type Program } from '@poundlock/core/internal/program';
import { explainDivergence, Names } from '@poundlock/core/internal/system';
import { boundsOf, certificateOf, timeShare } from '../certificate.ts';
import { memoryFindings } from '../memory-findings.ts';
import { executionContext, proveByChoices } from '../certify/index.ts';
import { Packing } from '../packing.ts';
import { firstDivergence, unfold } from '../search-space.ts';
import type { Decide } from './decider.ts';

/** Follows every order of choices, unless a role is not deterministic. */
export const proveByEveryChoice: Decide = async (problem, budget) => {
  if (problem.origin !== 'roles') return null;
  budget.share = timeShare(problem);
  const { program, certificate, context: known } = problem;
  problem.context = null;
  problem.hasChoices = true;
  const different = divergenceOf(program);
  if (different !== null) {
    if (certificate !== null) problem.certificate = { ...certificate, divergence: [different] };
    return null;
  }
  const stop = () => budget.stopReason(budget.share);
  const context = known ?? executionContext(program);
  const { proof } = await proveByChoices(program, boundsOf(problem, budget), stop, context);
  budget.share = 1;
  if (proof.failure?.condition === 'bound') problem.repeated = repeatedStep(context.unfolding);
  const divergence = certificate?.divergence ?? [];
  const found = memoryFindings(problem, proof);
  problem.certificate = certificateOf(problem, proof, divergence, found);
  return problem.certificate.reason === null ? problem.certificate : null;
};

/** A role that does something else in its second instance, as a finding. */
function divergenceOf(program: Program): Finding | null {
  const { system, unfolding } = unfold(program);
  const packing = new Packing(system.machine, system.initial());
  try {
    const found = firstDivergence(system, unfolding, packing);
    return found === null ? null : explainDivergence(system, new Names(system), found);
  } catch (error) {
    // What a sample run has no room for, such as ever more flights, is left to the proof or search.
    if (error instanceof BoundError) return null;
    throw error;
  }
}
