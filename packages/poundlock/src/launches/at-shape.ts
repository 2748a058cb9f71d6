// One shape at ordinary values, at the values of the user, and at special ones.
import { slotsIn } from '@poundlock/ptx/internal/infer/skeleton';
import { fits } from './subject.ts';
import type { LaunchRun } from './subject.ts';
import { hasGuessedNumbers } from './shapes.ts';
import type { Shape } from './shapes.ts';
import type { Trial, Trials } from './trials.ts';
import { inTurns, ORDINARY, smallerOrdinary, specialValues } from './values.ts';
import type { SpecialValue } from './values.ts';

/** Values of all numbers that are tried first: the first that fits. */
const QUICK = [17, 64] as const;
/** Milliseconds of a launch with many rounds, and of one that is likely to be wrong. */
const MANY_MS = 8_000;
const FEW_MS = 1_200;
/** Milliseconds of a launch that is repeated with other values of one number. */
const CHEAP_MS = 60;
/** Ordinary values that decide. */
const ENOUGH = 2;

/** Launches of one shape. */
export interface AtShape {
  readonly shape: Shape;
  /** With ordinary values, or those of the user. */
  readonly ordinary: readonly LaunchRun[];
  /** The ordinary value that fits; what varies one number has it for the others. */
  readonly base: number;
}

/** Launches with the values that the user gave: each of them, the others at their first. */
async function suppliedRuns(trials: Trials, shape: Shape, base: number): Promise<LaunchRun[]> {
  const { values } = trials.subject.skeleton.supplied;
  const several = [...values].filter(([, list]) => list.length > 1);
  const runs: LaunchRun[] = [];
  const role = values.size > 0 ? ('given' as const) : ('ordinary' as const);
  runs.push(await trials.add({ shape, base, role }));
  for (const [name, list] of several)
    for (const value of list.slice(1)) {
      if (trials.isOver) return runs;
      runs.push(await trials.add({ shape, base, role, supplied: new Map([[name, value]]) }));
    }
  return runs;
}

/** Milliseconds in which a schedule is looked for that shows why a shape is not proved. */
const SHOWN_MS = 500;

/** A proof; without one, what fails if it may be that rows overlap with these numbers. */
async function quickRun(trials: Trials, trial: Trial): Promise<LaunchRun> {
  const run = await trials.add(trial);
  const isUnproved = run.outcome === 'open' && run.reference.undecided === null;
  const { isOfNumbers } = trials.subject.skeleton.facts;
  if (!isUnproved || trial.isProof !== true || !isOfNumbers || trials.isOver) return run;
  const shown = await trials.add({ ...trial, isProof: false, mostMs: SHOWN_MS });
  return fits(shown) ? run : shown;
}

/** Tries a shape with numbers that take no time. */
export async function atQuick(trials: Trials, shape: Shape, isProof: boolean): Promise<LaunchRun> {
  const { values } = trials.subject.skeleton.supplied;
  const role = values.size > 0 ? ('given' as const) : ('small' as const);
  const first = await quickRun(trials, { shape, base: QUICK[0], role, isProof });
  if (fits(first) || trials.isOver) return first;
  const second = await quickRun(trials, { shape, base: QUICK[1], role, isProof });
  return fits(second) ? second : first;
}

/** Tries a shape at ordinary values: two that fit, if there are. */
export async function atOrdinary(
  trials: Trials,
  shape: Shape,
  quick: LaunchRun | null,
): Promise<AtShape> {
  const { skeleton } = trials.subject;
  if (!hasGuessedNumbers(skeleton))
    return { shape, ordinary: await suppliedRuns(trials, shape, 0), base: 0 };
  // What fails with few rounds is looked at for a short time with many.
  const mostMs = quick === null || quick.outcome === 'certified' ? MANY_MS : FEW_MS;
  const ordinary: LaunchRun[] = [];
  let base: number | null = null;
  const attempt = async (value: number): Promise<void> => {
    if (ordinary.filter(fits).length >= ENOUGH || (trials.isOver && ordinary.length > 0)) return;
    if (ordinary.some((run) => run.outcome === 'unended' && run.base <= value)) return;
    const isSupplied = skeleton.supplied.values.size > 0 && base === null;
    const runs = isSupplied
      ? await suppliedRuns(trials, shape, value)
      : [await trials.add({ shape, base: value, role: 'ordinary', mostMs })];
    ordinary.push(...runs);
    const isCheap = runs.every(({ result }) => result.stats.elapsedMs < CHEAP_MS);
    if (runs.some(fits) && (isCheap || quick === null)) base ??= value;
  };
  for (const value of ORDINARY) await attempt(value);
  if (!ordinary.some(fits)) for (const value of smallerOrdinary([])) await attempt(value);
  return { shape, ordinary, base: base ?? baseOf(quick) };
}

function baseOf(quick: LaunchRun | null): number {
  return quick === null ? ORDINARY[0] : quick.base;
}

/** The stages of the rings of a run. */
function stagesOf(runs: readonly LaunchRun[]): readonly number[] {
  const found = new Set(runs.flatMap(({ reference }) => reference.shared?.().stages ?? []));
  return [...found].filter((stages) => stages > 1);
}

/** Tries one number at a time at special values. */
export async function atSpecial(
  trials: Trials,
  { shape, ordinary, base }: AtShape,
): Promise<LaunchRun[]> {
  const { skeleton } = trials.subject;
  const stages = stagesOf(ordinary.filter(fits));
  const open = slotsIn(skeleton).filter(({ kind, name }) => {
    return kind === 'number' && !skeleton.supplied.values.has(name);
  });
  const runs: LaunchRun[] = [];
  // What does not end with a number of items does not end with more, or with one less.
  const isEndless = ({ slot, value }: SpecialValue): boolean =>
    runs.some(({ outcome, special }) => {
      return outcome === 'unended' && special!.slot === slot && special!.value <= value + 1;
    });
  for (const special of inTurns(open.map((slot) => specialValues(slot, stages)))) {
    if (!isEndless(special) && !trials.isTooMany(special, runs))
      runs.push(await trials.add({ shape, base, role: special.role, special }));
  }
  return runs;
}
