// Certifies a program from one run, where it has only one way to go on.
import { Program } from '@poundlock/core/internal/program';
import { explainDivergence, Names, System } from '@poundlock/core/internal/system';
import type { Finding } from '@poundlock/core/internal/finding';
import type { Budget } from '../budget.ts';
import { proveByChoices, proveByOneRun } from '../certify/index.ts';
import type { CertifyingRun, Proof, ExecutionContext } from '../certify/index.ts';
import { certificateOf, timeShare } from '../certificate.ts';
import { MANY_FOR_BARRIERS, MANY_ITEMS, MAX_SHORTCUT_STATES } from '../options.ts';
import { MAX_EXACT_EVENTS, MAX_EXACT_STATES } from '../options.ts';
import type { Problem } from '../problem.ts';
import type { Decide } from './decider.ts';

/**
 * Runs the program once. A run with choices, or one that fails a condition, is left to others. Of
 * steps that were edited there is no such proof.
 */
export const proveFromOneRun: Decide = async (problem, budget) => {
  if (problem.origin !== 'roles') return null;
  budget.share = timeShare(problem);
  const { program } = problem;
  const stop = () => budget.stopReason(budget.share);
  const shortcut = shortcutOf(problem, budget, stop);
  const { proof: sampled, run } = await proveByOneRun(program, budget, stop, shortcut);
  const proof = await withoutAssumptions(problem, sampled, run, stop);
  const certificate = certificateOf(program, proof, divergenceOf(program, run));
  problem.certificate = certificate;
  if (certificate.failed === 'choice') problem.context = run.context;
  return certificate.reason === null ? certificate : null;
};

/** T7: a short run with sampled tries is made again with all results, if its loops allow that. */
async function withoutAssumptions(
  { program }: Problem,
  sampled: Proof,
  { context }: CertifyingRun,
  stop: () => string | null,
): Promise<Proof> {
  if (sampled.failure !== null || sampled.assumptions.length === 0) return sampled;
  if (sampled.events > MAX_EXACT_EVENTS) return sampled;
  const bounds = { maxStates: MAX_EXACT_STATES, areTriesNoChoices: true };
  const { proof } = await proveByChoices(program, bounds, stop, context);
  return proof.failure === null ? { ...sampled, assumptions: [] } : sampled;
}

/** For a run of many items: a proof for any number of them, if it closes soon. */
function shortcutOf({ program, engine }: Problem, budget: Budget, stop: () => string | null) {
  const { counts, barriers } = program.declarations;
  const many = Math.max(MANY_ITEMS, MANY_FOR_BARRIERS * barriers.length ** 2);
  if (engine !== 'auto' || !counts.some((count) => count.total >= many)) return undefined;
  const { maxEvents, pause } = budget;
  const bounds = { maxEvents, maxStates: MAX_SHORTCUT_STATES, pause };
  return async (context: ExecutionContext): Promise<Proof | null> => {
    const open = { from: many, to: Infinity, least: 0 };
    const any = new Program(program.kernel, program.resolved, null, open, program.alarm);
    const { proof } = await proveByChoices(any, bounds, stop, context);
    return proof.failure === null && !proof.hasLeftovers ? proof : null;
  };
}

/** A role that did something else in the second instance beside the run. */
function divergenceOf(program: Program, { shadow }: CertifyingRun): Finding[] {
  if (shadow.divergence === null) return [];
  const system = new System(program, () => shadow.steps);
  return [explainDivergence(system, new Names(system), shadow.divergence)];
}
