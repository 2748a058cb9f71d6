// A kernel as built at what its launch file allows beside the requested launch: other values of
// numbers that may vary, and other launches of the same kernel.
import { InputError } from '@poundlock/core/internal/base';
import type { CheckResult, TriedLaunch } from '@poundlock/core/internal/finding';
import type { AllowedValues, OtherLaunch } from '@poundlock/core/internal/program';
import type { Limits } from '../options.ts';
import { sizesAround, stageNumbers } from './candidates.ts';
import { atOtherLaunch, atVariedSize, launchName } from './other-size.ts';
import { programOf, resultOf, SizeList, type SizeChecker } from './try-size.ts';

/** Bounds of one of them. */
const BOUNDS = { maxEvents: 200_000, maxStates: 500, timeoutMs: 2_000 } as const;
/** Milliseconds of all values together, where there is a clock. */
const VALUES_MS = 4_000;
/** The most values of one number that are tried. */
const MAX_VALUES = 12;
/** The most other launches. */
const MAX_LAUNCHES = 64;

/** A check of other launches: each is a kernel of its own. */
export interface SurroundingsChecker extends SizeChecker {
  readonly checkLaunch: (other: OtherLaunch, bounds: Limits) => Promise<CheckResult>;
}

/**
 * Checks a kernel as built, which had no error, with everything else that its launch file allows.
 * An error there is an error of the kernel; a bound that is reached leaves it out of the scope.
 */
export async function checkSurroundings(
  checker: SurroundingsChecker,
  result: CheckResult,
): Promise<CheckResult> {
  const withValues = await checkValues(checker, result);
  if (withValues.verdict === 'counterexample') return withValues;
  return checkLaunches(checker, withValues);
}

/** Other values of one number at a time: the first of each, then the second of each. */
async function checkValues(checker: SizeChecker, result: CheckResult): Promise<CheckResult> {
  const { kernel, params, budget } = checker;
  const program = programOf(checker, {});
  const stages = program === null ? [] : stageNumbers(program);
  const varied = (kernel.surroundings?.values ?? []).map((allowed) => {
    const value = Number(params.values[allowed.parameter]);
    return { list: new SizeList(allowed.parameter), sizes: allowedSizes(allowed, value, stages) };
  });
  const started = budget.elapsedMs;
  for (let turn = 0; turn < MAX_VALUES; turn++)
    for (const { list, sizes } of varied) {
      const size = sizes[turn];
      if (size === undefined) continue;
      if (budget.stopReason() !== null || budget.elapsedMs - started > VALUES_MS) {
        list.add('open', size);
        continue;
      }
      await budget.pause();
      const changes = { [list.parameter]: size };
      const tried = await resultOf(checker, changes, BOUNDS);
      if (tried === null) list.add('refused', size);
      else if (tried.verdict === 'counterexample') return atVariedSize(result, tried, changes);
      else list.add(tried.verdict === 'certified' ? 'certified' : 'open', size);
    }
  return { ...result, scope: { ...result.scope, sizes: varied.map(({ list }) => list.scope) } };
}

/** The values to try: counted in steps, the smallest and those at the stages of rings. */
export function allowedSizes(
  { least, most, step, listed }: AllowedValues,
  value: number,
  stages: readonly number[],
): number[] {
  const isOther = (one: number): boolean => one !== value && one >= least && one <= most;
  if (listed !== null) return listed.filter(isOther).slice(0, MAX_VALUES);
  const rounds = Math.round((value - least) / step);
  const all = sizesAround(rounds, stages).map((count) => least + count * step);
  return all.filter(isOther).slice(0, MAX_VALUES);
}

async function checkLaunches(
  checker: SurroundingsChecker,
  result: CheckResult,
): Promise<CheckResult> {
  const { kernel, budget } = checker;
  const tried: TriedLaunch[] = [];
  for (const other of kernel.surroundings?.launches() ?? []) {
    const { file, index } = other;
    const isOver = budget.stopReason() !== null;
    if (isOver || tried.length === MAX_LAUNCHES) {
      const why = isOver ? 'the time limit was reached' : `${MAX_LAUNCHES} launches were tried`;
      const reason = `${why} before it and those after it`;
      tried.push({ file, index, verdict: 'inconclusive', reason });
      break;
    }
    await budget.pause();
    const found = await launched(checker, other);
    if (found.verdict === 'counterexample') return atOtherLaunch(result, found, other);
    tried.push({
      file,
      index,
      verdict: found.verdict,
      ...(found.reason === undefined ? {} : { reason: found.reason }),
    });
  }
  if (tried.length === 0) return result;
  return { ...result, scope: { ...result.scope, launches: tried } };
}

/** @throws InputError that names the launch which cannot be used. */
async function launched(
  { budget, checkLaunch }: SurroundingsChecker,
  other: OtherLaunch,
): Promise<CheckResult> {
  const bounds = { ...BOUNDS, timeoutMs: Math.min(BOUNDS.timeoutMs, budget.leftMs) };
  try {
    return await checkLaunch(other, bounds);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${launchName(other)}: ${error.message}`, error.position);
  }
}
