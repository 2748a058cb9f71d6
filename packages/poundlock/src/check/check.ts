// check: can any interleaving deadlock, race, leak or misuse a stage?
import { BoundError, counted, invariant } from '@poundlock/core/internal/base';
import { assumptionNames } from '@poundlock/core/internal/finding';
import type {
  CheckResult,
  Finding,
  Parameters,
  RuleId,
  Verdict,
} from '@poundlock/core/internal/finding';
import {
  Program,
  requireKernel,
  resolveParameters,
  withStrands,
  type Kernel,
  type KernelReference,
  type OtherLaunch,
  type OtherWay,
  type ResolvedParameters,
} from '@poundlock/core/internal/program';
import { withArrivals } from './arrivals-of-text.ts';
import { Budget } from './budget.ts';
import { ambiguous } from './witness-outcome.ts';
import { checkBlocks } from './blocks.ts';
import * as by from './deciders/index.ts';
import { beforeAll, compareInPlace, OF_ROUNDS, ordersOf } from './in-place/index.ts';
import { certainlyWrong } from './certainly-wrong.ts';
import { claimed } from './claim.ts';
import { checkClosely } from './closely.ts';
import { constantsOfText, dischargedByText } from './discharge.ts';
import { checkEvery } from './parametric.ts';
import { requireCheckOptions } from './options.ts';
import type { CheckOptions, Engine, Limits, Sizes } from './options.ts';
import { hasError, NOTHING, statsOf, type Outcome } from './outcome.ts';
import { pollAssumption } from './poll-assumption.ts';
import { withPolling } from './polling.ts';
import { Problem, type MakeSteps } from './problem.ts';
import { findSmaller, SMALLER_BOUNDS, SMALLER_MS, SMALLER_WORK } from './shrink-parameters.ts';
import { explainedAhead } from './ahead.ts';
import { undecidedResult, withReference } from './reference.ts';
import { withSharedBarrier } from './shared-barrier.ts';
import { checkAround } from './sizes/around.ts';
import { Coverage } from './sizes/coverage.ts';
import { launchName } from './sizes/other-size.ts';
import { checkSurroundings } from './sizes/surroundings.ts';
import type { BoundsOfSize } from './sizes/try-size.ts';
import { checkOrders } from './orders.ts';
import { checkWays } from './ways.ts';
import { replayMemory, withMemory } from './with-memory.ts';

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
  { name: 'in-turns', when: isOpenToAll, decide: by.searchInTurns },
  { name: 'reduced', when: isOpenToAll, decide: by.searchReduced },
  { name: 'full', when: isOpen, decide: by.searchFully },
] as const satisfies readonly by.Decider[];

type DeciderName = (typeof DECIDERS)[number]['name'];

/** The deciders of each engine; only a full search shows an example. */
export const OF_ENGINE: Readonly<Record<Engine, readonly DeciderName[]>> = {
  auto: ['replay', 'one-run', 'choices', 'witness', 'few-states', 'in-turns', 'reduced', 'full'],
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
  return certificate?.failure?.condition === 'choice';
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

/** A bound ends a decider; the next one goes on where only a share of the time is up. */
async function orBound(
  attempt: () => Promise<Outcome | null>,
  budget: Budget,
): Promise<Outcome | null> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof BoundError)) throw error;
    if (budget.share < 1 && budget.stopReason() === null) return null;
    const { progress } = budget.searched;
    return { ...NOTHING, ...progress, findings: [], reason: error.message };
  }
}

/** Deciders that may prove a program, and leave it to a search otherwise. */
const PROOFS: ReadonlySet<DeciderName> = new Set(['one-run', 'choices']);

async function decide(problem: Problem, budget: Budget): Promise<Outcome> {
  const ofMemory = await replayMemory(problem, budget);
  if (ofMemory !== null) return ofMemory;
  const names = OF_ENGINE[problem.engine];
  for (const { name, when, decide: attempt } of DECIDERS) {
    if (!names.includes(name) || !when(problem, budget)) continue;
    budget.share = 1;
    const startMs = budget.elapsedMs;
    const outcome = await orBound(() => attempt(problem, budget), budget);
    if (PROOFS.has(name)) budget.proofMs += budget.elapsedMs - startMs;
    if (outcome === null) continue;
    budget.endSearch();
    return withSharedBarrier(problem, await withMemory(problem, budget, outcome));
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
  requireCheckOptions(options);
  return await withStrands(() => checkApart(kernel, options));
}

/** Checks a kernel whose strands are divided as far as they were seen to differ (W01). */
async function checkApart(kernel: Kernel, options: CheckOptions): Promise<CheckResult> {
  requireKernel(kernel);
  const accept = assumptionNames(options.accept ?? []);
  const params = resolveParameters(kernel, options.params);
  const budget = new Budget(options);
  const covered = new Coverage();
  const checked = await checkSizes(kernel, params, options, { budget, covered });
  const result = withDenied(checked, options.deny);
  const coverage = covered.result;
  const { remarks = [] } = kernel;
  const { notes = [] } = result;
  const found = {
    ...result,
    ...(remarks.length > 0 && { notes: [...remarks, ...notes] }),
    ...(coverage !== undefined && { coverage }),
  };
  const { result: proved, contradictions } = await dischargedByText(found, kernel);
  return claimed(proved, accept, contradictions);
}

/** A result whose warnings of some rules are errors. */
function withDenied(result: CheckResult, deny: readonly RuleId[] = []): CheckResult {
  const isDenied = ({ rule, severity }: Finding): boolean =>
    severity === 'warning' && deny.includes(rule);
  const denied = result.findings.filter(isDenied);
  if (denied.length === 0) return result;
  const errors = denied.map((finding): Finding => ({ ...finding, severity: 'error' }));
  const others = result.findings.filter((finding) => !isDenied(finding));
  const { kernel, params, scope, notes = [], stats } = result;
  const findings = [...errors, ...others];
  return { kernel, params, verdict: 'counterexample', scope, findings, notes, stats };
}

/** Checks the requested parameters, or every value of one, and what else is to be tried. */
async function checkSizes(
  kernel: Kernel,
  params: ResolvedParameters,
  options: CheckOptions,
  { budget, covered }: { readonly budget: Budget; readonly covered: Coverage },
): Promise<CheckResult> {
  const checker = {
    kernel,
    params,
    budget,
    covered,
    memory: options.memory,
    check: async (changed: ResolvedParameters, bounds: BoundsOfSize) => {
      const loadAgain = isEveryRequested(options, params, changed) ? options.loadAgain : undefined;
      const bounded = { ...options, ...ANY_ENGINE, ...bounds, loadAgain };
      const found = await checkOne(kernel, changed, bounded);
      if (found.verdict === 'certified') covered.add(kernel, changed);
      return found;
    },
    checkLaunch: async (other: OtherLaunch, bounds: Limits) => {
      const own = resolveParameters(other.kernel, {});
      const found = await checkOne(other.kernel, own, { ...options, ...ANY_ENGINE, ...bounds });
      if (found.verdict === 'certified') covered.add(other.kernel, own, launchName(other));
      return found;
    },
    checkWhole: async (changed: ResolvedParameters) => {
      const found = await checkOne(kernel, changed, options, budget);
      covered.add(kernel, changed);
      return found;
    },
  };
  if (options.every !== undefined) {
    try {
      const constants = await constantsOfText(kernel, options.every);
      const every = { ...checker, constants, assumed: [] };
      return await checkEvery(options.every, options, every);
    } catch (error) {
      if (!(error instanceof BoundError)) throw error;
      return boundReached(kernel, params, error.message, budget.elapsedMs);
    }
  }
  const result = await checker.checkWhole(params);
  const isOver = result.verdict === 'counterexample' || budget.stopReason() !== null;
  if (isOver || sizesOf(options) === 'requested') return result;
  return kernel.reference === undefined
    ? checkAround(checker, result)
    : checkSurroundings(checker, result);
}

/** A single size is decided in whatever way is fastest. */
const ANY_ENGINE = { engine: 'auto', shrinkTries: 0 } as const;

/** Variables of the module do not depend on a size: it is loaded again for the requested one. */
function isEveryRequested(
  { every }: CheckOptions,
  requested: ResolvedParameters,
  changed: ResolvedParameters,
): boolean {
  return every !== undefined && changed.values[every] === requested.values[every];
}

/** An explicit engine checks the requested size only. */
function sizesOf({ sizes, engine = 'auto', replay, example }: CheckOptions): Sizes {
  if (replay !== undefined || example === true) return 'requested';
  return sizes ?? (engine === 'auto' ? 'around' : 'requested');
}

/** The result of a check that a bound ended outside of its deciders. */
export function boundReached(
  { name }: Kernel,
  { values: params }: ResolvedParameters,
  reason: string,
  elapsedMs: number,
): CheckResult {
  return {
    kernel: name,
    params,
    verdict: 'inconclusive',
    scope: { params, every: [], assumptions: [], sizes: [] },
    findings: [],
    reason,
    stats: { ...NOTHING, elapsedMs },
  };
}

async function checkOne(
  kernel: Kernel,
  resolved: ResolvedParameters,
  options: CheckOptions,
  budget = new Budget(options),
): Promise<CheckResult> {
  const isOver = (): boolean => budget.stopReason() !== null;
  const reference = kernel.reference?.(resolved.values, isOver);
  if (!reference) return checkProgram(kernel, resolved, options, budget);
  const first = await checkClosely(kernel, resolved, reference, isOver, (run, about) =>
    checkRun(run, resolved, about, options, budget),
  );
  // Where only a proof is wanted, other blocks bring none if the first have none.
  if (options.engine === 'certify' && first.result.verdict !== 'certified') return first.result;
  const question = { isOver, isGuessedPlace: options.isGuessedPlace };
  return checkBlocks(first, question, (own) =>
    checkOne(own, resolveParameters(own, resolved.values), options, budget),
  );
}

/** Checks what one run stands for, and what else data or the order of blocks may lead to. */
async function checkRun(
  kernel: Kernel,
  resolved: ResolvedParameters,
  reference: KernelReference,
  options: CheckOptions,
  budget: Budget,
): Promise<CheckResult> {
  const { undecided } = reference;
  const profile = options.memory ?? 'practice';
  if (undecided !== null)
    return undecidedResult(kernel, resolved, { ...reference, undecided }, profile, budget);
  // Its roles perform lists of operations, and each other size is another run.
  const plain = { ...options, memory: profile, shrinkTries: 0 };
  const checked = await checkProgram(kernel, resolved, plain, budget);
  const explained = explainedAhead(checked, reference, new Program(kernel, resolved));
  const found = withReference(explained, reference, profile);
  const certain = await certainlyWrong(found, checked, reference, profile, (own) =>
    checkProgram(own, resolveParameters(own, {}), plain, budget),
  );
  const result = certain ?? found;
  const isOver = (): boolean => budget.stopReason() !== null;
  const checkWay = async (way: OtherWay): Promise<CheckResult> => {
    const own = resolveParameters(way.kernel, {});
    const { undecided: open } = way.reference;
    if (open !== null) {
      const run = { ...way.reference, undecided: open };
      return undecidedResult(way.kernel, own, run, profile, budget);
    }
    return withReference(
      await checkProgram(way.kernel, own, plain, budget),
      way.reference,
      profile,
    );
  };
  if (reference.orders !== undefined) return checkOrders(result, reference, isOver, checkWay);
  const isOfIsa = profile === 'isa';
  const endsWaits = options.accept?.includes('no-timeout') === true;
  return checkWays(result, reference, { isOver, isOfIsa, endsWaits }, checkWay);
}

async function checkProgram(
  kernel: Kernel,
  resolved: ResolvedParameters,
  options: CheckOptions,
  budget: Budget,
): Promise<CheckResult> {
  const program = new Program(kernel, resolved, null, undefined, budget.alarm);
  const problem = new Problem(program, options);
  const decided = await decideTruly(problem, budget);
  const explained = await withArrivals(problem, findingsOf(problem, decided));
  const findings = await withSmaller(problem, explained, options, budget);
  const { params } = problem.program;
  const { example } = decided;
  const poll = pollAssumption(program);
  const assumptions = [...(decided.assumptions ?? []), ...(poll === null ? [] : [poll])];
  const { notes: remarks = decided.notes ?? [] } = ambiguous(decided, problem.certificate);
  const verdict = verdictOf({ findings, reason: decided.reason });
  const notes =
    isUnasked(problem) && verdict !== 'counterexample' ? [...remarks, UNASKED] : remarks;
  const reason = verdict === 'inconclusive' ? reasonOf(problem, decided) : null;
  return {
    kernel: kernel.name,
    params,
    verdict,
    scope: {
      params,
      every: [],
      assumptions: verdict === 'certified' ? assumptions : [],
      sizes: [],
      ...(decided.memory === undefined ? {} : { memory: decided.memory }),
    },
    findings,
    ...(reason === null ? {} : { reason }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(example === undefined ? {} : { example }),
    stats: statsOf(decided, verdict, budget.elapsedMs),
  };
}

/** Why nothing is decided: what a role repeats, or why no proof was had and what was searched. */
function reasonOf(problem: Problem, { engine, reason, states }: Outcome): string {
  const repeated = withPolling(reason!, problem);
  const refused = problem.certificate?.reason ?? null;
  const isWhole = repeated !== reason || refused === null || repeated.endsWith(refused);
  if (isWhole || !['search', 'reduced'].includes(engine)) return repeated;
  return `${refused}; ${counted(states, 'state')} were searched until ${reason}`;
}

/** Whether rules of memory were left out that a program needs. */
function isUnasked({ program, question }: Problem): boolean {
  const isNeeded = program.usesMemory || program.kernel.reference !== undefined;
  return question.memory === 'none' && isNeeded;
}

const UNASKED = 'not asked: proxies, fences and scopes (--memory none)';

/** What is decided about the steps of the roles, if the roles in place make these steps, too. */
async function decideTruly(problem: Problem, budget: Budget): Promise<Outcome> {
  const { program, origin, question } = problem;
  const isWritten = origin === 'roles' && program.kernel.reference === undefined;
  const beside = isWritten ? await beforeAll(program, budget, question.loadAgain) : null;
  problem.context = beside?.runs.context ?? null;
  const decided = await decide(problem, budget);
  const isDivergent = decided.findings.some(({ rule }) => DIVERGENCES.has(rule));
  if (beside === null || isDivergent) return decided;
  const hasChoices = problem.hasChoices || decided !== problem.certificate;
  const orders = ordersOf(hasChoices, question.loadAgain !== undefined);
  let found: Finding | null;
  try {
    found = await compareInPlace(beside, decided, orders, budget);
  } catch (error) {
    if (!(error instanceof BoundError)) throw error;
    // How far the engine came is known, and no more.
    return { ...decided, reason: decided.reason ?? error.message };
  }
  if (found !== null) return { ...decided, findings: [found], reason: null };
  if (!hasChoices || !beside.runs.hasLooped) return decided;
  return { ...decided, assumptions: [...(decided.assumptions ?? []), OF_ROUNDS] };
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
  options: CheckOptions,
  budget: Budget,
): Promise<readonly Finding[]> {
  const { shrinkTries = 0, replay } = options;
  const [first, ...others] = findings;
  if (first?.severity !== 'error' || replay !== undefined) return findings;
  let left = SMALLER_WORK;
  const recheck = async (changed: Parameters): Promise<CheckResult | null> => {
    if (left <= 0 || budget.stopReason() !== null) return null;
    await budget.pause();
    const { now, pause, shouldStop } = options;
    const timeoutMs = Math.min(budget.leftMs, SMALLER_MS);
    const timed = now === undefined ? {} : { now, timeoutMs };
    const limits = { ...SMALLER_BOUNDS, ...timed, pause, shouldStop };
    const params = resolved.change(changed);
    const { memory } = options;
    const result = await check(kernel, { ...limits, sizes: 'requested', params, memory });
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
