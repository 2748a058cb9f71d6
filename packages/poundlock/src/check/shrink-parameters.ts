// The same finding with smaller parameters, which is easier to read.
import { InputError } from '@poundlock/core/internal/base';
import type {
  CheckResult,
  Finding,
  Parameters,
  ShrunkFinding,
  SourceLocation,
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
  const show = async (changed: Parameters): Promise<ShrunkFinding | null> => {
    if (left-- <= 0 || !keepsOrder(sizes, changed)) return null;
    const found = await sameFinding(finding, changed, recheck);
    const steps = found?.trace?.length;
    if (found?.replayToken === undefined || steps === undefined) return null;
    return { params: changed, steps, replayToken: found.replayToken };
  };
  const attempt = async (changed: Parameters): Promise<ShrunkFinding | null> => {
    const smaller = await show(changed);
    if (smaller === null) return null;
    for (const larger of neighbors(sizes, changed)) if ((await show(larger)) === null) return null;
    return smaller;
  };
  for (const changed of combinations(sizes)) {
    if (!keepsOrder(sizes, changed)) continue;
    const smaller = await attempt(changed);
    if (smaller !== null) return smaller;
    if (left <= tries / 4) break;
  }
  return halve(sizes, attempt);
}

/** Whether the parameters are in the same order as before: which is larger can be the cause. */
function keepsOrder(sizes: Sizes, changed: Parameters): boolean {
  const after = { ...sizes, ...changed };
  const names = Object.keys(sizes);
  return names.every((one) =>
    names.every((other) => {
      const now = Math.sign(Number(after[one]) - Number(after[other]));
      return now === Math.sign(sizes[one]! - sizes[other]!);
    }),
  );
}

/**
 * Each changed parameter one larger, and more than twice as large. A size shows the finding there,
 * too; a number that selects one of several variants does not.
 */
function* neighbors(sizes: Sizes, changed: Parameters): Generator<Parameters> {
  const values: Record<string, number> = { ...sizes };
  for (const [name, value] of Object.entries(changed)) values[name] = Number(value);
  for (const name of Object.keys(changed)) {
    const value = values[name]!;
    for (const more of [1, value + 5]) {
      const larger: Record<string, number> = {};
      // What is as large or larger grows as well, so that the order stays.
      for (const [other, own] of Object.entries(values)) {
        const next = own >= value ? own + more : own;
        if (next !== sizes[other]) larger[other] = next;
      }
      yield larger;
    }
  }
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
    const beyond = Object.values(sizes).flatMap((other) =>
      other < value ? [other, other + 1] : [],
    );
    const small = new Set([...SMALL_VALUES, ...beyond].filter((one) => one < value));
    const values = [...small, value];
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

/** The finding of the same rule and cause at the same places, or `undefined`. */
async function sameFinding(
  { rule, message, primary, labels }: Finding,
  parameters: Parameters,
  recheck: Recheck,
): Promise<Finding | undefined> {
  try {
    const found = (await recheck(parameters))?.findings ?? [];
    return found.find((other) => {
      const { file, line, column, role } = other.primary;
      const isThere = file === primary.file && line === primary.line && column === primary.column;
      const isSame = other.rule === rule && isThere && role === primary.role;
      if (!isSame || withoutNumbers(other.message) !== withoutNumbers(message)) return false;
      const places = new Set([primary, ...labels].map(placeOf));
      return other.labels.every((label) => places.has(placeOf(label)));
    });
  } catch (error) {
    // A kernel may refuse a size: then it is not one to show.
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A sentence in which neither numbers nor plurals count: those differ with the size. */
function withoutNumbers(message: string): string {
  return message.replaceAll(/[\d,]*\d/g, '#').replaceAll(/\b(\w+?)s?\b/g, '$1');
}

function placeOf({ file, line, column }: SourceLocation): string {
  return `${file} ${line} ${column}`;
}
