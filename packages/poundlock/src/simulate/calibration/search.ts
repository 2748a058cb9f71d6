// Fits the parameters of a model by coordinate descent.
import type { Costs } from '../model.ts';
import { errorsOf, type MeasuredCase } from './cases.ts';
import { agreement, quantile, type Pair } from './errors.ts';

/** Errors are clamped to this, so that outliers do not dominate the fit. */
const MOST_ERROR = 0.3;
/** The scale of small errors, whose weight vanishes toward zero. */
const SMALL_ERROR = 0.01;
const SMALL_WEIGHT = 0.03;
const TAIL_WEIGHT = 0.3;
/** The margin by which a pair is to be ranked, and the clamp on its loss. */
const LEAST_AGREEMENT = 0.012;
const MOST_DISAGREEMENT = 0.03;
const PAIR_WEIGHT = 0.5;

const FIRST_STEP = 0.05;
const LAST_STEP = 0.001;
/** A step that helped is followed by a larger one: a start may be off by half. */
const GROWTH = 1.3;
const MOST_STEP = 0.15;

/** The objective: typical errors, the tail of each program, and incorrectly ranked pairs. */
export function lossOf(
  cases: readonly MeasuredCase[],
  errors: readonly number[],
  pairs: readonly Pair[],
): number {
  const byKernel = Map.groupBy(cases.keys(), (at) => cases[at]!.kernel);
  let loss = 0;
  for (const group of byKernel.values()) {
    const absolute = group.map((at) => Math.abs(errors[at]!));
    const typical = absolute.map((error) => {
      return Math.min(error, MOST_ERROR) + (SMALL_WEIGHT * error) / (error + SMALL_ERROR);
    });
    loss += typical.reduce((sum, one) => sum + one, 0) / group.length;
    loss += TAIL_WEIGHT * quantile(absolute, 0.95);
  }
  const missed = pairs.map((pair) => {
    const short = LEAST_AGREEMENT - agreement(cases, errors, pair);
    return Math.min(Math.max(short, 0), MOST_DISAGREEMENT) / MOST_DISAGREEMENT;
  });
  const wrong = missed.reduce((sum, one) => sum + one, 0) / Math.max(1, pairs.length);
  return loss + PAIR_WEIGHT * wrong;
}

export interface SearchOptions {
  readonly names: readonly (keyof Costs)[];
  readonly pairs: readonly Pair[];
  /** The most trials of each parameter. */
  readonly rounds: number;
  readonly onRound?: (round: number, loss: number) => void;
}

/** The best costs that the search finds from `start`; deterministic. */
export function search(
  cases: readonly MeasuredCase[],
  start: Costs,
  { names, pairs, rounds, onRound }: SearchOptions,
): Costs {
  const lossWith = (costs: Costs): number => lossOf(cases, errorsOf(cases, costs), pairs);
  const steps = new Map(names.map((name) => [name, FIRST_STEP]));
  let best = start;
  let loss = lossWith(start);
  for (let round = 1; round <= rounds; round++) {
    for (const name of names) {
      const step = steps.get(name)!;
      if (step < LAST_STEP) continue;
      const tried = [1 + step, 1 - step].map((factor) => {
        const costs = { ...best, [name]: best[name] * factor };
        return { costs, loss: lossWith(costs) };
      });
      const better = tried.reduce((one, other) => (other.loss < one.loss ? other : one));
      if (better.loss < loss) {
        ({ costs: best, loss } = better);
        steps.set(name, Math.min(step * GROWTH, MOST_STEP));
      } else steps.set(name, step / 2);
    }
    onRound?.(round, loss);
  }
  return best;
}
