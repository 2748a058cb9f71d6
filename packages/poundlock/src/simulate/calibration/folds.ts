// Cross-validation: each row is predicted once, by parameters that were fitted without its cell.
import { costsOf, type GpuModel } from '../model.ts';
import { Random } from '../random.ts';
import { errorsOf, type MeasuredCase } from './cases.ts';
import { FITTED_NAMES, fitModel, type ProgramCases } from './fit-model.ts';

/** The most relative perturbation of each parameter at the start of a fold. */
const START_OFF = 0.1;
/** Random values to draw from on each side. */
const STEPS = 1000;

export interface FoldOptions {
  readonly folds: number;
  /** The most trials of each parameter in each fold. */
  readonly rounds: number;
  readonly onRound?: (fold: number, tables: string, round: number, loss: number) => void;
}

/** What makes the cell of a row: the regime in which its program ran. */
const CELL = ['source', 'ctas', 'warpgroups', 'mmaN', 'lanes', 'consumers'] as const;

/** The fold of each case: all rows of a cell are in the same one. */
export function foldsOf(cases: readonly MeasuredCase[], folds: number): number[] {
  const cells = new Map<string, number>();
  const kernels = new Map<string, number>();
  return cases.map(({ kernel, program: { params } }) => {
    const cell = JSON.stringify([kernel, ...CELL.map((name) => params[name])]);
    const known = cells.get(cell);
    if (known !== undefined) return known;
    // Programs start with different folds, so that no regime is left out of all of them at once.
    const next = (kernels.get(kernel) ?? kernels.size - 1) + 1;
    kernels.set(kernel, next);
    cells.set(cell, next % folds);
    return next % folds;
  });
}

/** Errors of cases by parameters that no row of their cell was fitted to. */
export interface Validated {
  readonly cases: readonly MeasuredCase[];
  readonly errors: readonly number[];
}

/**
 * Predicts all cases, each by a model that was fitted to rows of the other folds, as `calibrate`
 * fits one: from a start that is off, and to so many rows of each program.
 */
export function crossValidate(
  programs: ProgramCases,
  near: GpuModel,
  { folds, rounds, onRound }: FoldOptions,
): Validated {
  const cases = [...programs.values()].flat();
  const foldOf = new Map(foldsOf(cases, folds).map((fold, at) => [cases[at]!, fold]));
  const validated: { cases: MeasuredCase[]; errors: number[] } = { cases: [], errors: [] };
  for (let fold = 0; fold < folds; fold++) {
    const others = [...programs].map(
      ([table, rows]) => [table, rows.filter((one) => foldOf.get(one) !== fold)] as const,
    );
    const seen = new Map(others.filter(([, rows]) => rows.length > 0));
    const { model } = fitModel(new Map(), seen, perturbed(near, fold), {
      rounds,
      onRound: (tables, round, loss) => onRound?.(fold, tables, round, loss),
    });
    const heldOut = cases.filter((one) => foldOf.get(one) === fold);
    validated.cases.push(...heldOut);
    validated.errors.push(...errorsOf(heldOut, costsOf(model)));
  }
  return validated;
}

/** A model with each fitted parameter off by up to {@link START_OFF}; deterministic by seed. */
function perturbed(model: GpuModel, seed: number): GpuModel {
  const random = new Random(seed);
  const changed = FITTED_NAMES.map((name) => {
    const off = (START_OFF * (random.below(2 * STEPS + 1) - STEPS)) / STEPS;
    const { value, source } = model.parameters[name];
    return [name, { value: value * (1 + off), source }];
  });
  return { ...model, parameters: { ...model.parameters, ...Object.fromEntries(changed) } };
}
