// Sizes around the one that was requested: a certificate for 3 blocks proves nothing of 4.
import type {
  CheckResult,
  Finding,
  Parameters,
  TriedSizes,
} from '@poundlock/core/internal/finding';
import { IntegerParameter } from '@poundlock/core/internal/program';
import type { Program } from '@poundlock/core/internal/program';
import { sizesAround, sizesInRange, stageNumbers } from './candidates.ts';
import { countsOtherwise, isItemCount, isSameShape } from './item-count.ts';
import { programOf, resultOf, SizeList, type SizeChecker } from './try-size.ts';
import { atOtherSize, atUndeclaredSize } from './other-size.ts';

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

/** A parameter that has a range or may count items, and what is known of it. */
interface Varied {
  readonly list: SizeList;
  readonly sizes: number[];
  /** Its default as the kernel declares it. */
  readonly declared: unknown;
  /** Whether it has a range, or is the total of a `count`: other values are sizes for sure. */
  readonly isSize: boolean;
}

/**
 * Checks a kernel that had no error with other values of each parameter that has a range or counts
 * items, one parameter at a time. An error with one of them is an error of the kernel, unless it
 * refuses that value, or a warning where the value is not declared; a bound that is reached leaves
 * the value out of the scope.
 */
export async function checkAround(checker: SizeChecker, result: CheckResult): Promise<CheckResult> {
  const { params, budget, kernel } = checker;
  const varied = variedParameters(checker);
  const started = budget.elapsedMs;
  let work = 0;
  const skipped = new Set<Varied>();
  const warnings: Finding[] = [];
  for (const [one, size] of inTurns(varied)) {
    if (skipped.has(one)) continue;
    const { list, declared } = one;
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
      if (!one.isSize && isSizeless(params.values, one, size, [result, tried])) skipped.add(one);
    } else if (tried.verdict === 'inconclusive') list.add('open', size);
    else if (!one.isSize && !isItemCount(kernel, params, list.parameter)) skipped.add(one);
    else if (size === 0 && isOpenAtZero(declared)) {
      list.add('undeclared', size);
      warnings.push(...atUndeclaredSize(result, tried, changes, declared));
    } else return atOtherSize(result, tried, changes, declared);
  }
  const tried = varied.filter((one) => !skipped.has(one)).map(({ list }) => list.scope);
  const findings = [...result.findings, ...warnings];
  return { ...result, findings, scope: { ...result.scope, sizes: tried.filter(isTried) } };
}

/** Whether a default leaves open if its parameter can be 0: a plain number that is another one. */
function isOpenAtZero(declared: unknown): declared is number {
  return typeof declared === 'number' && declared !== 0;
}

/** The parameters with a range, and the numbers that leave the declarations as they are. */
function variedParameters(checker: SizeChecker): Varied[] {
  const { kernel, params } = checker;
  const program = programOf(checker, {});
  if (program === null) return [];
  const stages = stageNumbers(program);
  return Object.entries(kernel.defaults).flatMap(([name, declared]) => {
    const value = params.values[name];
    // A default that is computed says how a parameter follows from others.
    if (typeof declared === 'function' || !isCount(value)) return [];
    if (declared instanceof IntegerParameter) {
      const sizes = sizesInRange(declared, value, stages);
      return [{ list: new SizeList(name), sizes, declared, isSize: true }];
    }
    const sizes = sizesAround(value, stages);
    const next = nextProgram(checker, name, value, sizes);
    if (next === null || !isSameShape(program, next)) return [];
    const isSize = countsOtherwise(program, next);
    return [{ list: new SizeList(name), sizes, declared, isSize }];
  });
}

function isCount(value: unknown): value is number {
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

function isTried({ certified, refused, open, undeclared = [] }: TriedSizes): boolean {
  return certified.length + refused.length + open.length + undeclared.length > 0;
}
