// Certifies a program from one run, where it has only one way to go on.
import { Program, type Divergence } from '@poundlock/core/internal/program';
import { explainDivergence, Names, System } from '@poundlock/core/internal/system';
import type { Finding } from '@poundlock/core/internal/finding';
import type { Budget } from '../budget.ts';
import { failureAgain, proveByChoices, proveByOneRun } from '../certify/index.ts';
import type { CertifyingRun, Proof, ExecutionContext } from '../certify/index.ts';
import { boundsOf, certificateOf, timeShare } from '../certificate.ts';
import { CERTIFY_SLICE, MANY_FOR_BARRIERS, MANY_ITEMS, MAX_SHORTCUT_STATES } from '../options.ts';
import { MAX_EXACT_EVENTS, MAX_EXACT_STATES, type MemoryProfile } from '../options.ts';
import { memoryFindings } from '../memory-findings.ts';
import { AloneRun } from '../in-place/index.ts';
import { pollAssumption } from '../poll-assumption.ts';
import type { Problem } from '../problem.ts';
import type { Decide } from './decider.ts';

/**
 * Runs the program once. A run with choices, or one that fails a condition, is left to others. Of
 * steps that were edited there is no such proof.
 */
export const proveFromOneRun: Decide = async (problem, budget) => {
  if (problem.origin !== 'roles') return null;
  budget.share = timeShare(problem);
  const { program, context } = problem;
  const stop = () => budget.stopReason(budget.share);
  const shortcut = new Shortcut(problem, budget, stop);
  const attempt = shortcut.isOpen ? shortcut.prove : undefined;
  const { proof: sampled, run } = await proveByOneRun(
    program,
    boundsOf(problem, budget),
    stop,
    context,
    attempt,
  );
  const proof = await withoutAssumptions(problem, sampled, run, stop);
  const divergence = shortcut.divergence ?? run.shadow.divergence;
  const certificate = certificateOf(
    problem,
    proof,
    findingsOf(program, run, divergence),
    memoryFindings(problem, proof),
  );
  problem.certificate = certificate;
  if (proof === sampled && proof.failure !== null)
    problem.failureAgain = () => failureAgain(program, run);
  // The run to the end is the program's: it needs no schedule to be one of it.
  if (shortcut.divergence !== null)
    return { ...certificate, findings: certificate.divergence, reason: null };
  problem.context = certificate.failure?.condition === 'choice' ? run.context : null;
  return certificate.reason === null ? certificate : null;
};

/** T7: a short run with sampled tries is made again with all results, if its loops allow that. */
async function withoutAssumptions(
  { program, question }: Problem,
  sampled: Proof,
  { context }: CertifyingRun,
  stop: () => string | null,
): Promise<Proof> {
  if (sampled.failure !== null || sampled.assumptions.length === 0) return sampled;
  if (sampled.events > MAX_EXACT_EVENTS) return sampled;
  const { memory } = question;
  const bounds = { maxStates: MAX_EXACT_STATES, areTriesNoChoices: true, memory };
  const { proof } = await proveByChoices(program, bounds, stop, context);
  return proof.failure === null ? { ...sampled, assumptions: [] } : sampled;
}

/**
 * For a run of many items: the conditions are proved for any number of them, if that closes soon,
 * and the roles make the run to its end without them.
 */
class Shortcut {
  /** Where a role, on its way to the end, did something else than its steps. */
  divergence: Divergence | null = null;
  readonly isOpen: boolean;
  readonly #program: Program;
  readonly #budget: Budget;
  readonly #stop: () => string | null;
  readonly #many: number;
  readonly #memory: MemoryProfile | undefined;

  constructor({ program, engine, question }: Problem, budget: Budget, stop: () => string | null) {
    const { counts, barriers } = program.declarations;
    const isWanted = engine === 'auto' || question.takesManyForAny === true;
    this.#program = program;
    this.#budget = budget;
    this.#stop = stop;
    this.#memory = question.memory;
    this.#many = Math.max(MANY_ITEMS, MANY_FOR_BARRIERS * barriers.length ** 2);
    this.isOpen = isWanted && counts.some((count) => count.total >= this.#many);
  }

  readonly prove = async (context: ExecutionContext): Promise<Proof | null> => {
    const { kernel, resolved } = this.#program;
    const { maxEvents, pause } = this.#budget;
    const bounds = { maxEvents, maxStates: MAX_SHORTCUT_STATES, pause, memory: this.#memory };
    const open = { from: this.#many, to: Infinity, least: 0 };
    const any = new Program(kernel, resolved, null, open, this.#program.alarm);
    const { proof } = await proveByChoices(any, bounds, this.#stop, context);
    if (proof.failure !== null || proof.hasLeftovers || pollAssumption(any) !== null) return null;
    if (!(await this.#runToEnd(context))) return null;
    if (this.divergence === null) return proof;
    return { ...proof, failure: { condition: 'D', why: 'a role body is not deterministic' } };
  };

  /** Whether the roles were run to their end, or to where one of them diverges. */
  async #runToEnd(context: ExecutionContext): Promise<boolean> {
    const alone = new AloneRun(this.#program, context);
    for (let left = this.#budget.maxEvents; left > 0; left -= CERTIFY_SLICE) {
      const state = alone.run(Math.min(left, CERTIFY_SLICE));
      this.divergence = alone.divergence;
      if (state !== 'running') return state === 'ended';
      await this.#budget.pause();
      if (this.#stop() !== null) return false;
    }
    return false;
  }
}

/** A role that did something else than the steps of its rounds. */
function findingsOf(
  program: Program,
  { shadow }: CertifyingRun,
  divergence: Divergence | null,
): Finding[] {
  if (divergence === null) return [];
  const system = new System(program, () => shadow.steps);
  return [explainDivergence(system, new Names(system), divergence)];
}
