// `calibrate DIR`: how well a model predicts measured rows, beside simpler predictors.
import { InputError } from '@poundlock/core/internal/base';
import { Progress, type Host } from '@poundlock/core/internal/host';
import { calibrationTables, foldTable, type Predictor } from '../../report/index.ts';
import {
  agreement,
  choiceSummary,
  costNameOf,
  costsOf,
  crossValidate,
  errorsOf,
  formulaCycles,
  pairsOf,
  RECURRENCE_NAMES,
  recurrenceOf,
  search,
  summarizeErrors,
  type Costs,
  type GpuModel,
  type MeasuredCase,
  type ParameterName,
  type ProgramCases,
} from '../../simulate/index.ts';
import { assignment } from '../options/assignment.ts';

export interface AccuracyOptions {
  readonly rounds: number;
  readonly holdOut?: string;
  readonly folds?: string;
}

/** Without --hold-out, every third row is held out. */
const HELD_BACK = 3;
/** The recurrence has few parameters: some of the rows are enough to fit them. */
const RECURRENCE_ROUNDS = 6;
const RECURRENCE_ROWS = 6;

function isHeldBack(holdOut: string | undefined): (one: MeasuredCase) => boolean {
  if (holdOut === undefined) return ({ row }) => row % HELD_BACK === HELD_BACK - 1;
  const [name, value] = assignment('--hold-out', holdOut, 'name=value');
  return ({ program }) => String(program.params[name]) === value;
}

/** Fits each program separately: the baseline that the simulation has to beat. */
function fitRecurrence(cases: readonly MeasuredCase[], start: Costs): Map<string, Costs> {
  const byKernel = Map.groupBy(cases, ({ kernel }) => kernel);
  const options = { names: RECURRENCE_NAMES, pairs: [], rounds: RECURRENCE_ROUNDS };
  return new Map(
    [...byKernel].map(([kernel, own]) => {
      const some = own.filter((_, at) => at % RECURRENCE_ROWS === 0);
      return [kernel, search(some, recurrenceOf(start), options)];
    }),
  );
}

/** The fewest and most folds of the rows. */
const FOLDS = { least: 2, most: 20 };

function readFolds(text: string): number {
  const folds = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (folds >= FOLDS.least && folds <= FOLDS.most) return folds;
  throw new InputError(`--folds must be from ${FOLDS.least} to ${FOLDS.most}, not "${text}"`);
}

/** The fitted parameters; measured and published ones stay unchanged. */
function fittedNames(model: GpuModel): (keyof Costs)[] {
  const entries = Object.entries(model.parameters);
  const fitted = entries.filter(([, { source }]) => source.startsWith('fitted'));
  return fitted.map(([name]) => costNameOf(name as ParameterName));
}

/** Predicts every row by a model that was fitted without the cell of the row. */
function runFolds(
  programs: ProgramCases,
  model: GpuModel,
  folds: number,
  { rounds }: AccuracyOptions,
  host: Host,
): void {
  const progress = new Progress(host);
  const onRound = (fold: number, tables: string, round: number, loss: number): void => {
    const facts = [tables, `round ${round}`, `loss ${loss.toFixed(5)}`];
    progress.update('fitting', [{ done: fold, all: folds, unit: 'part', facts }]);
  };
  const { cases, errors } = crossValidate(programs, model, { folds, rounds, onRound });
  progress.clear();
  host.stdout.write(foldTable(summarizeErrors(cases, errors)));
}

/** Predicts cycles of rows by the formula or a recurrence, which are fitted to each program. */
class SimplePredictors {
  readonly #costs: ReadonlyMap<string, Costs>;
  readonly #unfitted: Costs;

  constructor(fitted: readonly MeasuredCase[], start: Costs) {
    this.#costs = fitRecurrence(fitted, start);
    this.#unfitted = recurrenceOf(start);
  }

  recurrence(cases: readonly MeasuredCase[]): number[] {
    return cases.flatMap((one) => errorsOf([one], this.#costsOf(one)));
  }

  formula(cases: readonly MeasuredCase[]): number[] {
    return cases.map((one) => formulaCycles(one, this.#costsOf(one)) / one.measuredCycles - 1);
  }

  #costsOf({ kernel }: MeasuredCase): Costs {
    return this.#costs.get(kernel) ?? this.#unfitted;
  }
}

/** Fits the parameters that are fitted to some rows. */
function fit(fitted: readonly MeasuredCase[], model: GpuModel, rounds: number, host: Host): Costs {
  const progress = new Progress(host);
  const onRound = (done: number, loss: number): void => {
    const facts = [`loss ${loss.toFixed(5)}`];
    progress.update('fitting', [{ done, all: rounds, unit: 'round', facts }]);
  };
  const pairs = pairsOf(fitted, 'order');
  const options = { names: fittedNames(model), pairs, rounds, onRound };
  const costs = search(fitted, costsOf(model), options);
  progress.clear();
  return costs;
}

/** The relative error of each row. */
type Errors = (cases: readonly MeasuredCase[]) => number[];

/** Prints the accuracy of `model`, and of simpler predictors, with some rows held out. */
export function printAccuracy(
  programs: ProgramCases,
  model: GpuModel,
  options: AccuracyOptions,
  host: Host,
): void {
  const cases = [...programs.values()].flat();
  const heldBack = isHeldBack(options.holdOut);
  if (options.folds !== undefined) {
    runFolds(programs, model, readFolds(options.folds), options, host);
    return;
  }
  const fitted = cases.filter((one) => !heldBack(one));
  const rest = cases.filter(heldBack);
  if (options.holdOut !== undefined && rest.length === 0) {
    throw new InputError(`--hold-out ${options.holdOut}: no row matches`);
  }
  const costs = fit(fitted, model, options.rounds, host);
  const simple = new SimplePredictors(fitted, costsOf(model));
  const errorsBy: readonly (readonly [name: string, errors: Errors])[] = [
    ['simulation', (of) => errorsOf(of, costs)],
    ['recurrence', (of) => simple.recurrence(of)],
    ['formula', (of) => simple.formula(of)],
  ];
  const predictors = errorsBy.map(([name, errors]): Predictor => {
    return {
      name,
      fitted: summarizeErrors(fitted, errors(fitted)),
      heldBack: summarizeErrors(rest, errors(rest)),
    };
  });
  const all = pairsOf(cases, 'order');
  const rows = errorsBy.map(([name, errors]) => ({ name, errors: errors(cases) }));
  const pairs = rows.map(({ name, errors }) => {
    const right = all.filter((pair) => agreement(cases, errors, pair) > 0).length;
    return { name, all: all.length, right };
  });
  const { errors } = rows[0]!;
  const choices = CHOICES.map((parameters) => {
    return { what: parameters.join(', '), ...choiceSummary(cases, errors, parameters) };
  });
  host.stdout.write(calibrationTables({ predictors, pairs, choices, costs }));
}

/** Parameters that a user chooses by the model. */
const CHOICES = [['order'], ['stages'], ['order', 'stages'], ['aStages', 'bStages', 'order']];
