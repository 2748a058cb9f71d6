// check: can any interleaving deadlock, race, leak or misuse a stage?
import { InputError, invariant, nearest } from '@poundlock/core/internal/base';
import type {
  CheckResult,
  Finding,
  Parameters,
  RuleId,
  Verdict,
} from '@poundlock/core/internal/finding';
import { Program, resolveParameters } from '@poundlock/core/internal/program';
import type { Kernel, ResolvedParameters } from '@poundlock/core/internal/program';
import { Budget } from './budget.ts';
import { ambiguous } from './witness-outcome.ts';
import * as by from './deciders/index.ts';
import { beforeAll, compareInPlace, OF_ROUNDS, ordersOf } from './in-place/index.ts';
import { checkEvery } from './parametric.ts';
import { ENGINES, type CheckOptions, type Engine } from './options.ts';
import { hasError, type Outcome } from './outcome.ts';
import { Problem, type MakeSteps } from './problem.ts';
import { findSmaller, SMALLER_BOUNDS, SMALLER_WORK } from './shrink-parameters.ts';
import { STRATEGIES } from './strategies/index.ts';

/**
 * How a check decides. Each decider is tried in this order, if the engine has it and its condition
 * holds, until one returns an outcome; where none does, the certificate says why.
 */
export const DECIDERS = [
  { name: 'replay', when: isReplay, decide: by.replaySchedule },
  { name: 'one-run', when: isProvable, decide: by.proveFromOneRun },
  { name: 'choices', when: hasChoices, decide: by.proveByEveryChoice },
  { name: 'witness', when: isBuildable, decide: by.buildWitness },
  { name: 'few-states', when: isOpenToAll, decide: by.searchFewStates },
  { name: 'reduced', when: isOpenToAll, decide: by.searchReduced },
  { name: 'full', when: isOpen, decide: by.searchFully },
] as const satisfies readonly by.Decider[];

type DeciderName = (typeof DECIDERS)[number]['name'];

/** The deciders of each engine; only a full search shows an example. */
export const OF_ENGINE: Readonly<Record<Engine, readonly DeciderName[]>> = {
  auto: ['replay', 'one-run', 'choices', 'witness', 'few-states', 'reduced', 'full'],
  certify: ['replay', 'one-run', 'choices', 'reduced', 'full'],
  reduced: ['replay', 'reduced', 'full'],
  search: ['replay', 'full'],
};

/** A token names one schedule. */
function isReplay({ question }: Problem): boolean {
  return question.replay !== undefined;
}

/** A certificate is of the roles as they are, and has no schedule to show. */
function isProvable({ origin, question }: Problem): boolean {
  return origin === 'roles' && question.example !== true;
}

/** The one run came to a choice. */
function hasChoices({ certificate }: Problem): boolean {
  return certificate?.failed === 'choice';
}

/** A search may follow: not where only a certificate is wanted, or it ran into its bound. */
function isOpen({ certificate, engine }: Problem, { maxEvents }: Budget): boolean {
  // A search makes the same events and keeps them.
  return certificate === null || (engine === 'auto' && certificate.events <= maxEvents);
}

/** A search may follow, and need not be a full one. */
function isOpenToAll(problem: Problem, budget: Budget): boolean {
  return isOpen(problem, budget) && problem.question.example !== true;
}

/** A role that is not deterministic has no reliable schedule. */
function isBuildable(problem: Problem, budget: Budget): boolean {
  if (!isOpenToAll(problem, budget) || problem.origin === 'lists') return false;
  const isDivergent = (problem.certificate?.divergence ?? []).length > 0;
  if (isDivergent || budget.stopReason() !== null) return false;
  return problem.origin === 'roles' || problem.runnable.divergence === null;
}

async function decide(problem: Problem, budget: Budget): Promise<Outcome> {
  const names = OF_ENGINE[problem.engine];
  for (const { name, when, decide: attempt } of DECIDERS) {
    if (!names.includes(name) || !when(problem, budget)) continue;
    const outcome = await attempt(problem, budget);
    if (outcome !== null) return outcome;
  }
  const { certificate } = problem;
  invariant(certificate !== null, 'a check without a certificate runs a search');
  return certificate;
}

/**
 * Checks a kernel in every interleaving.
 *
 * The verdict is `certified` if no interleaving reaches a finding of severity error;
 * `counterexample` if one does, with its schedule, a shortest one unless a note says otherwise;
 * and `inconclusive` if a bound was hit first, which `reason` names. Semantics:
 * docs/reference/semantics.md.
 *
 * @throws InputError if the kernel cannot be executed, because of bad parameters or a role that
 * throws.
 *
 * @example
 * import { barrier, kernel, role, wait } from 'poundlock';
 * import { check } from 'poundlock/check';
 *
 * const stuck = kernel('stuck', {}, () => {
 *   const full = barrier('full');
 *   return [
 *     role('mma', function* () {
 *       yield* wait(full, 0);
 *     }),
 *   ];
 * });
 * const { verdict, findings } = await check(stuck);
 * console.log(verdict, findings[0]?.rule); // counterexample deadlock
 */
export async function check(kernel: Kernel, options: CheckOptions = {}): Promise<CheckResult> {
  requireName('engine', options.engine, ENGINES);
  requireName('strategy', options.strategy, Object.keys(STRATEGIES));
  const params = resolveParameters(kernel, options.params);
  if (options.every === undefined) return checkOne(kernel, params, options);
  return checkEvery(kernel, options.every, params, options, {
    budget: new Budget(options),
    check: (changed) => checkOne(kernel, changed, options),
  });
}

/** Types do not hold what JavaScript passes: an unknown name must not become another engine. */
function requireName(what: string, name: string | undefined, names: readonly string[]): void {
  if (name === undefined || names.includes(name)) return;
  const guess = nearest(name, names);
  const help = guess === undefined ? `there are ${names.join(', ')}` : `did you mean ${guess}?`;
  throw new InputError(`there is no ${what} ${name}: ${help}`);
}

async function checkOne(
  kernel: Kernel,
  resolved: ResolvedParameters,
  options: CheckOptions,
): Promise<CheckResult> {
  const budget = new Budget(options);
  const problem = new Problem(new Program(kernel, resolved), options);
  const decided = await decideTruly(problem, budget);
  const findings = await withSmaller(problem, findingsOf(problem, decided), options, budget);
  const { params } = problem.program;
  const { engine, events, states, transitions, reason, example, assumptions = [] } = decided;
  const { notes } = ambiguous(decided, problem.certificate);
  const verdict = verdictOf({ findings, reason });
  return {
    kernel: kernel.name,
    params,
    verdict,
    scope: { params, every: [], assumptions: verdict === 'certified' ? assumptions : [] },
    findings,
    ...(reason === null || verdict === 'counterexample' ? {} : { reason }),
    ...(notes === undefined ? {} : { notes }),
    ...(example === undefined ? {} : { example }),
    stats: { engine, events, states, transitions, elapsedMs: budget.elapsedMs },
  };
}

/** What is decided about the steps of the roles, if the roles in place make these steps, too. */
async function decideTruly(problem: Problem, budget: Budget): Promise<Outcome> {
  const { program, origin, question } = problem;
  const beside = origin === 'roles' ? await beforeAll(program, budget, question.loadAgain) : null;
  const decided = await decide(problem, budget);
  const isDivergent = decided.findings.some(({ rule }) => DIVERGENCES.has(rule));
  if (beside === null || isDivergent) return decided;
  const hasChoices = problem.hasChoices || decided !== problem.certificate;
  const found = await compareInPlace(
    beside,
    decided,
    ordersOf(hasChoices, question.loadAgain !== undefined),
    budget,
  );
  if (found !== null) return { ...decided, findings: [found], reason: null };
  return hasChoices && beside.runs.hasLooped ? { ...decided, assumptions: [OF_ROUNDS] } : decided;
}

/** Findings of roles that do not do what their steps say. */
const DIVERGENCES: ReadonlySet<RuleId> = new Set(['nondeterministic-role', 'loop-captures']);

function verdictOf(outcome: Pick<Outcome, 'findings' | 'reason'>): Verdict {
  if (hasError(outcome)) return 'counterexample';
  return outcome.reason === null ? 'certified' : 'inconclusive';
}

/** Findings of a search replace a divergence, which the search may not have met. */
function findingsOf({ certificate }: Problem, { findings }: Outcome): readonly Finding[] {
  return findings.length > 0 ? findings : (certificate?.divergence ?? []);
}

/** Says of the first error whether smaller parameters show it, too. */
async function withSmaller(
  { program: { kernel, resolved } }: Problem,
  findings: readonly Finding[],
  { shrinkTries = 0, replay }: CheckOptions,
  budget: Budget,
): Promise<readonly Finding[]> {
  const [first, ...others] = findings;
  if (first?.severity !== 'error' || replay !== undefined) return findings;
  let left = SMALLER_WORK;
  const recheck = async (changed: Parameters): Promise<CheckResult | null> => {
    if (left <= 0 || budget.stopReason() !== null) return null;
    await budget.pause();
    const result = await check(kernel, { ...SMALLER_BOUNDS, params: resolved.change(changed) });
    left -= result.stats.states + result.stats.transitions;
    return result;
  };
  const also = await findSmaller(first, resolved.values, shrinkTries, recheck);
  return also === null ? findings : [{ ...first, also }, ...others];
}

/** The verdict of `check` on steps that were recorded and edited. */
export interface StepsVerdict {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  /** Why it is inconclusive. */
  readonly reason: string | null;
  readonly states: number;
}

/** Searches every interleaving of a program whose roles make these steps. */
export async function checkSteps(
  program: Program,
  makeSteps: MakeSteps,
  options: CheckOptions = {},
): Promise<StepsVerdict> {
  const problem = new Problem(program, options, makeSteps);
  const { findings, reason, states } = await decide(problem, new Budget(options));
  return { verdict: verdictOf({ findings, reason }), findings, reason, states };
}
