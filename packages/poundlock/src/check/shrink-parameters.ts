// The same finding with smaller parameters, which is easier to read.
import { InputError } from '@poundlock/core/internal/base';
import type {
  CheckResult,
  Finding,
  Parameters,
  ShrunkFinding,
} from '@poundlock/core/internal/finding';

/** Bounds of each check with smaller parameters: it is not worth a long search. */
export const SMALLER_BOUNDS = { maxEvents: 20_000, maxStates: 20_000 } as const;
/** Milliseconds of each of them, if there is a clock. */
export const SMALLER_MS = 3_000;
/** States and transitions of all those checks together (bound `smaller-work`). */
export const SMALLER_WORK = 100_000;
/** The values that are tried of a parameter before its half: small ones, as they come. */
const SMALL_VALUES = [1, 2, 3, 4];
/** Parameters that end in a unit are amounts, not sizes: fewer bytes shorten no schedule. */
const AMOUNT = /(?:bytes|cycles|columns|lanes|threads)$/i;

type Sizes = Readonly<Record<string, number>>;

/** Checks the kernel with these parameters; `null` when there is no time left. */
export type Recheck = (parameters: Parameters) => Promise<CheckResult | null>;

/**
 * Looks for `finding` with smaller sizes: every combination of small values, smallest sum first,
 * then halves of one size after another. `tries` bounds the checks; `null` if none shows it.
 */
export async function findSmaller(
  finding: Finding,
  parameters: Parameters,
  tries: number,
  recheck: Recheck,
): Promise<ShrunkFinding | null> {
  const sizes = sizesOf(parameters);
  const smallest = await smallestOf(finding, sizes, tries, recheck);
  return smallest !== null && isWorthTelling(finding, sizes, smallest) ? smallest : null;
}

/** Shorter, or a third as large: a schedule with one item less is no easier to read. */
function isWorthTelling(finding: Finding, sizes: Sizes, { params, steps }: ShrunkFinding): boolean {
  const sum = (all: Parameters): number =>
    Object.values(all).reduce<number>((total, value) => total + Number(value), 0);
  return steps < (finding.trace?.length ?? 0) || sum({ ...sizes, ...params }) * 3 <= sum(sizes);
}

async function smallestOf(
  finding: Finding,
  sizes: Sizes,
  tries: number,
  recheck: Recheck,
): Promise<ShrunkFinding | null> {
  let left = tries;
  const attempt = async (changed: Parameters): Promise<ShrunkFinding | null> => {
    if (left-- <= 0) return null;
    const found = await sameFinding(finding, changed, recheck);
    const steps = found?.trace?.length;
    if (found?.replayToken === undefined || steps === undefined) return null;
    return { params: changed, steps, replayToken: found.replayToken };
  };
  for (const changed of combinations(sizes)) {
    const smaller = await attempt(changed);
    if (smaller !== null) return smaller;
    if (left <= tries / 4) break;
  }
  return halve(sizes, attempt);
}

/** One size after another, as long as halving it keeps the finding. */
async function halve(
  sizes: Sizes,
  attempt: (changed: Parameters) => Promise<ShrunkFinding | null>,
): Promise<ShrunkFinding | null> {
  let best: ShrunkFinding | null = null;
  for (const name of Object.keys(sizes)) {
    for (;;) {
      const value = Number(best?.params[name] ?? sizes[name]);
      if (value < 2) break;
      const smaller = await attempt({ ...best?.params, [name]: Math.floor(value / 2) });
      if (smaller === null) break;
      best = smaller;
    }
  }
  return best;
}

/** The parameters that can be made smaller, and are sizes. */
function sizesOf(parameters: Parameters): Record<string, number> {
  const entries = Object.entries(parameters).filter((entry): entry is [string, number] => {
    const [name, value] = entry;
    return Number.isInteger(value) && Number(value) > 1 && !AMOUNT.test(name);
  });
  return Object.fromEntries(entries);
}

/** Small values of all sizes, by their sum; only those that differ from the current values. */
function combinations(sizes: Sizes): Parameters[] {
  let all: Record<string, number>[] = [{}];
  for (const [name, value] of Object.entries(sizes)) {
    const values = [...SMALL_VALUES.filter((small) => small < value), value];
    all = all.flatMap((one) => values.map((small) => ({ ...one, [name]: small })));
    if (all.length > MAX_COMBINATIONS) return [];
  }
  const sum = (one: Record<string, number>): number =>
    Object.values(one).reduce((total, value) => total + value, 0);
  const differing = all.filter((one) => Object.keys(one).some((name) => one[name] !== sizes[name]));
  return differing
    .toSorted((one, other) => sum(one) - sum(other))
    .map((one) => changed(one, sizes));
}

/** The most combinations of small values that are put in order; beyond that sizes are halved. */
const MAX_COMBINATIONS = 4_096;

function changed(one: Record<string, number>, sizes: Sizes): Parameters {
  return Object.fromEntries(Object.entries(one).filter(([name, value]) => sizes[name] !== value));
}

/** The finding of the same rule at the same place, or `undefined`. */
async function sameFinding(
  { rule, primary }: Finding,
  parameters: Parameters,
  recheck: Recheck,
): Promise<Finding | undefined> {
  try {
    const found = (await recheck(parameters))?.findings ?? [];
    return found.find((other) => {
      const { file, line, column, role } = other.primary;
      const isThere = file === primary.file && line === primary.line && column === primary.column;
      return other.rule === rule && isThere && role === primary.role;
    });
  } catch (error) {
    // A kernel may refuse a size: then it is not one to show.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
