// Sizes around the one that was requested: a certificate for 3 blocks proves nothing of 4.
import type { CheckResult, Parameters, TriedSizes } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import { sizesAround, stageNumbers } from './candidates.ts';
import { countsOtherwise, isItemCount, isSameShape } from './item-count.ts';
import { programOf, resultOf, SizeList, type SizeChecker } from './try-size.ts';
import { atOtherSize } from './other-size.ts';

/**
 * The work of all sizes together (bound `sizes`): their events, of which those after the first
 * {@link FIRST_EVENTS} of a size are cheap.
 */
const SIZES_WORK = 2_000;
const FIRST_EVENTS = 500;
const CHEAP = 10;
/** Bounds of one of them. */
const SIZE_BOUNDS = { maxEvents: 20_000, maxStates: 500, timeoutMs: 2_000 } as const;
/** Milliseconds of all sizes together, where there is a clock. */
const SIZES_MS = 5_000;

/** A parameter that may count items, and what is known of it. */
interface Varied {
  readonly list: SizeList;
  readonly sizes: number[];
  /** Whether it is the total of a `count`: then it counts items for sure. */
  readonly isDeclared: boolean;
}

/**
 * Checks a kernel that had no error with other values of each parameter that counts items, one
 * parameter at a time. An error with one of them is an error of the kernel, unless it refuses that
 * value; a bound that is reached leaves the value out of the scope.
 */
export async function checkAround(checker: SizeChecker, result: CheckResult): Promise<CheckResult> {
  const { params, budget, kernel } = checker;
  const varied = variedParameters(checker);
  const started = budget.elapsedMs;
  let work = 0;
  const skipped = new Set<Varied>();
  for (const [one, size] of inTurns(varied)) {
    if (skipped.has(one)) continue;
    const { list, isDeclared } = one;
    const changes = { [list.parameter]: size };
    const isLate = budget.stopReason() !== null || budget.elapsedMs - started > SIZES_MS;
    if (isLate || work > SIZES_WORK) {
      list.add('open', size);
      continue;
    }
    await budget.pause();
    const tried = await resultOf(checker, changes, SIZE_BOUNDS);
    work += workOf(tried);
    if (tried === null) list.add('refused', size);
    else if (tried.verdict === 'certified') {
      list.add('certified', size);
      if (!isDeclared && isSizeless(params.values, one, size, [result, tried])) skipped.add(one);
    } else if (tried.verdict === 'inconclusive') list.add('open', size);
    else if (isDeclared || isItemCount(kernel, params, list.parameter)) {
      return atOtherSize(result, tried, changes);
    } else skipped.add(one);
  }
  const tried = varied.filter((one) => !skipped.has(one)).map(({ list }) => list.scope);
  return { ...result, scope: { ...result.scope, sizes: tried.filter(isTried) } };
}

/** The parameters with a number as their default that leave the declarations as they are. */
function variedParameters(checker: SizeChecker): Varied[] {
  const { kernel, params } = checker;
  const program = programOf(checker, {});
  if (program === null) return [];
  const stages = stageNumbers(program);
  return Object.entries(kernel.defaults).flatMap(([name, declared]) => {
    const value = params.values[name];
    // A default that is computed says how a parameter follows from others.
    if (typeof declared === 'function' || !isSize(value)) return [];
    const sizes = sizesAround(value, stages);
    const next = nextProgram(checker, name, value, sizes);
    if (next === null || !isSameShape(program, next)) return [];
    return [{ list: new SizeList(name), sizes, isDeclared: countsOtherwise(program, next) }];
  });
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The program with another value, one that the kernel accepts. */
function nextProgram(
  checker: SizeChecker,
  name: string,
  value: number,
  sizes: readonly number[],
): Program | null {
  for (const size of [value + 1, value + 2, ...sizes, 2 * value]) {
    const next = size === value ? null : programOf(checker, { [name]: size });
    if (next !== null) return next;
  }
  return null;
}

/** The first size of each parameter, then the second of each, and so on. */
function* inTurns(varied: readonly Varied[]): Generator<readonly [Varied, number]> {
  const most = Math.max(0, ...varied.map(({ sizes }) => sizes.length));
  for (let turn = 0; turn < most; turn++) {
    for (const one of varied) if (turn < one.sizes.length) yield [one, one.sizes[turn]!];
  }
}

/** Whether the roles do no more with a larger value, so that it is no number of items. */
function isSizeless(
  values: Parameters,
  { list }: Varied,
  size: number,
  [first, tried]: readonly [CheckResult, CheckResult],
): boolean {
  if (size < Number(values[list.parameter])) return false;
  return tried.stats.engine === first.stats.engine && tried.stats.events <= first.stats.events;
}

function workOf(result: CheckResult | null): number {
  if (result === null) return 0;
  const { events, states } = result.stats;
  const all = Math.max(events, states);
  return Math.min(all, FIRST_EVENTS) + all / CHEAP;
}

function isTried({ certified, refused, open }: TriedSizes): boolean {
  return certified.length + refused.length + open.length > 0;
}
