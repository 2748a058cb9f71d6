// Every value of a parameter that a kernel only counts with: one proof, or the smallest that fails.
import { grouped, InputError, rangesOf } from '@poundlock/core/internal/base';
import { uniqueAssumptions } from '@poundlock/core/internal/finding';
import type { Assumption, CheckResult, TriedSizes } from '@poundlock/core/internal/finding';
import { IntegerParameter, requireParameter } from '@poundlock/core/internal/program';
import type { Kernel, Periods, ResolvedParameters } from '@poundlock/core/internal/program';
import type { Explored } from './certify/index.ts';
import { OF_ROUNDS } from './in-place/index.ts';
import { practicesOf, scopeOf } from './memory-findings.ts';
import { assumptionsOf, placed } from './reference.ts';
import { MAX_TRIED, type CheckOptions } from './options.ts';
import { integersOf, sizesForEvery, stageNumbers } from './sizes/candidates.ts';
import { isSameShape } from './sizes/item-count.ts';
import { withSmallest } from './sizes/other-size.ts';
import { assumptionsOfPeriods, proveByPeriods, repeatedSizes } from './sizes/periods.ts';
import { proveSymbolically } from './sizes/symbolic-proof.ts';
import { programOf, resultOf, SizeList, type SizeChecker } from './sizes/try-size.ts';

/** Bounds of the check of each single value. */
const SIZE_BOUNDS = { maxEvents: 200_000, maxStates: 20_000, timeoutMs: 5_000 } as const;

/** A check of every value of a parameter. */
export interface EveryChecker extends SizeChecker {
  /** Numbers of the text that the parameter may be compared with. */
  readonly constants: readonly number[];
  /** What the checks of single values rest on, as every value does. */
  readonly assumed: Assumption[];
  /** Checks one value within the bounds of the whole check. */
  readonly checkWhole: (params: ResolvedParameters) => Promise<CheckResult>;
}

/**
 * Proves a kernel for every value of the parameter `options.every` at once, or finds a value for
 * which it is wrong. Whatever the proof says, values at which kernels are often wrong are checked
 * one by one. A parameter that is more than a count's total is certified for those values alone,
 * with a note of how to get more.
 *
 * @throws InputError if there is no such number, or if it shapes the kernel.
 */
export async function checkEvery(
  every: string,
  options: CheckOptions,
  checker: EveryChecker,
): Promise<CheckResult> {
  const { kernel, params } = checker;
  const value = numberOf(kernel, every, params, options);
  // Of a kernel as built the buffers are those that its run touches: few rounds touch fewer.
  if (kernel.reference !== undefined) return checkAsBuilt(every, value, checker);
  requireNoShape(every, value, checker);
  const declared = kernel.defaults[every];
  const least = declared instanceof IntegerParameter ? declared.min : 0;
  const { explored, plainUse } =
    kernel.ownership === 'explicit'
      ? await proveSymbolically(checker, every, least)
      : { explored: null, plainUse: RAII };
  if (explored !== null && explored.proof.failure !== null) {
    return explored.proof.failure.condition === 'bound'
      ? ofEvery(every, explored, checker)
      : smallest(every, explored, checker);
  }
  const tried = await trySizes(every, usualSizes(value, checker), checker);
  if ('verdict' in tried) return tried;
  if (explored !== null) return ofEvery(every, explored, checker, tried);
  const loops = `a loop() that calls count(${every}).more() in each round`;
  return forItsSize(every, `${plainUse}: ${loops} is proved for every value`, tried, checker);
}

/** Sizes one by one, and all from some size on where the run of the kernel repeats itself. */
async function checkAsBuilt(
  every: string,
  value: number,
  checker: EveryChecker,
): Promise<CheckResult> {
  const most = Math.max(value + 1, MAX_BUILT);
  const usual = usualSizes(value, checker).filter((size) => size <= most);
  const sizes = [...new Set([...usual, ...sizesAtTests(every, checker)])];
  const few = await trySizes(
    every,
    sizes.filter((size) => size < MAX_FIRST),
    checker,
  );
  if ('verdict' in few) return few;
  const { periods, why } = await proveByPeriods(checker, every);
  const isProved = periods !== null && periods.most !== null;
  const tried = isProved && !periods.isOneRest ? few : await trySizes(every, sizes, checker);
  if ('verdict' in tried) return tried;
  if (periods === null) return forItsSize(every, why, tried, checker);
  if (periods.isOneRest) {
    const { unproved } = periods;
    if (unproved === null) return forItsRest(every, periods, tried, checker);
    return forItsSize(every, `no period is proved: ${placed(unproved)}`, tried, checker);
  }
  const below = Array.from({ length: periods.from }, (_, size) => size);
  const all = await trySizes(every, [...new Set([...(isProved ? [] : sizes), ...below])], checker);
  if ('verdict' in all) return all;
  const open = below.filter((size) => !all.certified.includes(size));
  if (open.length > 0)
    return forItsSize(every, `it is not certified for ${every}=${rangesOf(open)}`, all, checker);
  const result = await checker.checkWhole(checker.params);
  if (result.verdict !== 'certified') return result;
  const { assumptions: own } = result.scope;
  const assumptions = uniqueAssumptions([...own, ...assumptionsOfPeriods(every, periods)]);
  const params = Object.entries(result.params).filter(([name]) => name !== every);
  const repeated = repeatedSizes(every, periods);
  const scope = {
    params: Object.fromEntries(params),
    every: [every],
    assumptions,
    sizes: [all],
    periods: [repeated],
  };
  if (repeated.reason === undefined) return { ...result, scope };
  const note = `the period is not proved: ${repeated.reason}`;
  return { ...result, scope, notes: [...(result.notes ?? []), note] };
}

/** Sizes below this one are tried before a period is looked for. */
const MAX_FIRST = 4;
/** The largest size that a kernel as built is run for, if no larger one is asked for. */
const MAX_BUILT = 133;

/** The most numbers that a text compares a parameter with, and the largest that is run. */
const MAX_TESTS = 8;
const MAX_TESTED = 20_000;

/** Sizes on both sides of the numbers that the text of a kernel as built compares one with. */
function sizesAtTests(every: string, { kernel }: EveryChecker): number[] {
  const tests = kernel.surroundings?.comparedWith(every) ?? [];
  const near = tests.slice(0, MAX_TESTS).flatMap((one) => [one, one + 1, one - 1]);
  return near.filter((size) => size >= 0 && size <= MAX_TESTED);
}

/** Sizes at which kernels are often wrong. */
function usualSizes(value: number, checker: EveryChecker): number[] {
  const program = programOf(checker, {});
  const stages = program === null ? [] : stageNumbers(program);
  const near = checker.constants.flatMap((one) => [one - 1, one, one + 1]);
  return sizesForEvery(value, stages, [...integersOf(checker.kernel), ...near]);
}

const RAII = "ownership: 'raii' moves releases in a list of steps of fixed length";

function numberOf(
  kernel: Kernel,
  every: string,
  { values }: ResolvedParameters,
  { engine }: CheckOptions,
): number {
  requireParameter(kernel, every);
  const value = values[every];
  if (typeof value !== 'number') {
    throw new InputError(`parameter ${every} of kernel ${kernel.name} is not a number`);
  }
  if (engine === 'search' || engine === 'reduced') {
    throw new InputError(
      `a search checks one value at a time: --every ${every} needs a certificate`,
    );
  }
  return value;
}

/** Throws where the next value declares other things. */
function requireNoShape(every: string, value: number, checker: SizeChecker): void {
  const [one, more] = [0, 1].map((add) => programOf(checker, { [every]: value + add }));
  if (!one || !more || isSameShape(one, more)) return;
  throw new InputError(
    `no finite proof covers every value of ${every}, because it changes the kernel's structure: ` +
      `try --sweep ${every}=1..16`,
    checker.kernel.position,
  );
}

/** Checks single values; the result of the first that is wrong, or which are right. */
async function trySizes(
  every: string,
  sizes: Iterable<number>,
  checker: EveryChecker,
): Promise<TriedSizes | CheckResult> {
  const list = new SizeList(every);
  for (const size of sizes) {
    if (checker.budget.stopReason() !== null) {
      list.add('open', size);
      continue;
    }
    await checker.budget.pause();
    const result = await resultOf(checker, { [every]: size }, SIZE_BOUNDS, true);
    if (result?.verdict === 'counterexample') {
      return withSmallest(result, every, size, list.scope.certified);
    }
    checker.assumed.push(
      ...(result?.scope.assumptions ?? []).filter(({ name }) => name === 'poll'),
    );
    if (result === null) list.add('refused', size);
    else list.add(result.verdict === 'certified' ? 'certified' : 'open', size);
  }
  return list.scope;
}

/** P05: proved for single values alone, and how to get more. */
async function forItsSize(
  every: string,
  why: string,
  tried: TriedSizes,
  { checkWhole, params }: EveryChecker,
  others = ' only',
): Promise<CheckResult> {
  const result = await checkWhole(params);
  const value = params.values[every];
  const right = result.verdict === 'certified' ? [...tried.certified, Number(value)] : [];
  const sizes = rangesOf([...new Set(right)].toSorted((one, other) => one - other));
  const reason = `this holds for ${every}=${sizes}${others}, because ${why}`;
  const besides = {
    ...tried,
    certified: tried.certified.filter((size) => size !== value),
    open: tried.open.filter((size) => size !== value),
  };
  const scope = { ...result.scope, sizes: [besides] };
  // Every number was asked for.
  if (right.length === 0) return { ...result, scope };
  return { ...result, verdict: 'inconclusive', scope, reason };
}

/** P05: proved for single values, and for each that is some blocks larger. */
async function forItsRest(
  every: string,
  { from, step, most, kernels }: Periods,
  tried: TriedSizes,
  checker: EveryChecker,
): Promise<CheckResult> {
  const others = `, and is proved for ${from}, ${from + step}, … up to ${grouped(most!)}`;
  const result = await forItsSize(every, IN_BLOCKS, tried, checker, others);
  const own = kernels.flatMap(({ reference }) => assumptionsOf(reference));
  const assumptions = uniqueAssumptions([...result.scope.assumptions, ...own]);
  return { ...result, scope: { ...result.scope, assumptions } };
}

const IN_BLOCKS = 'a round of its loops takes several';

/** The smallest number for which something is wrong, tried one by one. */
async function smallest(
  every: string,
  { lead, proof }: Explored,
  { params, checkWhole, ...checker }: EveryChecker,
): Promise<CheckResult> {
  const last = Math.min(lead * 2 + LAPS, MAX_TRIED);
  const list = new SizeList(every);
  for (let value = 0; value <= last; value++) {
    const changed = { [every]: value };
    if (programOf({ ...checker, params }, changed) === null) {
      list.add('refused', value);
      continue;
    }
    const result = await checkWhole(params.change(changed));
    if (result.verdict !== 'certified') {
      return withSmallest(result, every, value, list.scope.certified);
    }
    list.add('certified', value);
  }
  const result = await checkWhole(params);
  if (result.verdict !== 'certified') return result;
  const why = proof.failure?.why;
  const reason = `${why}; each value of ${every} from 0 to ${last} is certified individually`;
  const scope = { ...result.scope, sizes: [list.scope] };
  return { ...result, verdict: 'inconclusive', reason, scope };
}

/** Values beyond the laps that the proof went through. */
const LAPS = 5;

/** Certified for every number, with the warnings of the smallest that has one; or a bound. */
async function ofEvery(
  every: string,
  { proof, leftoverTiles }: Explored,
  { kernel, params, checkWhole, budget, assumed }: EveryChecker,
  tried?: TriedSizes,
): Promise<CheckResult> {
  const { engine, failure, events, states, transitions } = proof;
  const isProved = failure === null;
  const isWarned = isProved && (proof.hasLeftovers || proof.faults.length > 0);
  const shown = proof.hasLeftovers ? leftoverTiles : params.values[every]!;
  const warned = isWarned ? await checkWhole(params.change({ [every]: shown })) : null;
  return {
    kernel: kernel.name,
    params: params.values,
    verdict: isProved ? 'certified' : 'inconclusive',
    scope: {
      params: Object.fromEntries(Object.entries(params.values).filter(([name]) => name !== every)),
      every: isProved ? [every] : [],
      assumptions: isProved
        ? uniqueAssumptions([...practicesOf(proof), ...assumed, OF_ROUNDS, assumptionOf(every)])
        : [],
      sizes: tried === undefined ? [] : [tried],
      ...(isProved ? scopeOf(proof) : {}),
    },
    findings: warned?.findings ?? [],
    ...(isProved ? {} : { reason: failure.why }),
    stats: { engine, events, states, transitions, elapsedMs: budget.elapsedMs },
  };
}

function assumptionOf(every: string): Assumption {
  const text =
    `no role treats single values of ${every} in a way of their own ` +
    '(===, switch, includes, the key of a Map), which is not observable';
  return { name: 'single-values', text };
}
