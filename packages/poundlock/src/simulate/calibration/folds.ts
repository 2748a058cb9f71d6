// Cross-validation: each row is predicted once, by parameters that were fitted without it.
import type { Costs } from '../model.ts';
import { Random } from '../random.ts';
import { errorsOf, type MeasuredCase } from './cases.ts';
import { pairsOf } from './errors.ts';
import { search } from './search.ts';

/** The most relative perturbation of each parameter at the start of a fold. */
const START_OFF = 0.1;
/** Random values to draw from on each side. */
const STEPS = 1000;

export interface FoldOptions {
  readonly names: readonly (keyof Costs)[];
  readonly folds: number;
  /** The most trials of each parameter in each fold. */
  readonly rounds: number;
  readonly onRound?: (fold: number, round: number, loss: number) => void;
}

/** The errors of all cases, each predicted by parameters that were fitted to the other folds. */
export function crossValidate(
  cases: readonly MeasuredCase[],
  near: Costs,
  { names, folds, rounds, onRound }: FoldOptions,
): number[] {
  const errors: number[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const heldOut = [...cases.keys()].filter((at) => cases[at]!.row % folds === fold);
    const others = cases.filter(({ row }) => row % folds !== fold);
    const costs = search(others, perturbed(near, names, fold), {
      names,
      rounds,
      pairs: pairsOf(others, 'order'),
      onRound: (round, loss) => onRound?.(fold, round, loss),
    });
    const found = errorsOf(
      heldOut.map((at) => cases[at]!),
      costs,
    );
    heldOut.forEach((at, place) => (errors[at] = found[place]!));
  }
  return errors;
}

/** The costs with each named parameter off by up to {@link START_OFF}; deterministic by seed. */
function perturbed(costs: Costs, names: readonly (keyof Costs)[], seed: number): Costs {
  const random = new Random(seed);
  const changed = names.map((name) => {
    const off = (START_OFF * (random.below(2 * STEPS + 1) - STEPS)) / STEPS;
    return [name, costs[name] * (1 + off)];
  });
  return { ...costs, ...Object.fromEntries(changed) };
}
