// `poundlock calibrate`: fits the parameters of the h200 model to measured tables.
import { InputError } from '@poundlock/core/internal/base';
import { calibrationTables, foldTable, type Predictor } from '../../report/index.ts';
import {
  agreement,
  casesOf,
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
  type MeasuredCase,
  type ParameterName,
} from '../../simulate/index.ts';
import { ExitCode } from '../exit-code.ts';
import type { Host } from '@poundlock/core/internal/host';
import { readMeasurements } from '../measurements.ts';
import { assignment } from '../options/assignment.ts';
import { modelNamed } from '../options/model.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly kernels: string;
  readonly rounds: string;
  readonly holdOut?: string;
  readonly folds?: string;
}

/** Without --hold-out, every third row is held out. */
const HELD_BACK = 3;
/** The recurrence has few parameters: some of the rows are enough to fit them. */
const RECURRENCE_ROUNDS = 6;
const RECURRENCE_ROWS = 6;

/** A whole number; 0 only evaluates the current model. */
function readRounds(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InputError(`--rounds must be a whole number, not "${text}"`);
}

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
function fittedNames(): (keyof Costs)[] {
  const entries = Object.entries(modelNamed('h200').parameters);
  const fitted = entries.filter(([, { source }]) => source.startsWith('fitted'));
  return fitted.map(([name]) => costNameOf(name as ParameterName));
}

/** Predicts every row by parameters that were fitted without it. */
function runFolds(cases: readonly MeasuredCase[], folds: number, rounds: number, host: Host): void {
  const onRound = (fold: number, round: number, loss: number): void => {
    if (!host.stderr.isTerminal) return;
    host.stderr.write(`fold ${fold + 1} of ${folds}, round ${round}: loss ${loss.toFixed(5)}\n`);
  };
  const near = costsOf(modelNamed('h200'));
  const names = fittedNames();
  const errors = crossValidate(cases, near, { names, folds, rounds, onRound });
  host.stdout.write(foldTable(summarizeErrors(cases, errors)));
}

async function run(directory: string, options: Options, host: Host): Promise<ExitCode> {
  const rounds = readRounds(options.rounds);
  const heldBack = isHeldBack(options.holdOut);
  const cases = casesOf(await readMeasurements(directory, options.kernels, host));
  if (options.folds !== undefined) {
    runFolds(cases, readFolds(options.folds), rounds, host);
    return ExitCode.clean;
  }
  const fitted = cases.filter((one) => !heldBack(one));
  const rest = cases.filter(heldBack);
  if (options.holdOut !== undefined && rest.length === 0) {
    throw new InputError(`--hold-out ${options.holdOut}: no row matches`);
  }
  const start = costsOf(modelNamed('h200'));
  const names = fittedNames();
  const onRound = (round: number, loss: number): void => {
    if (host.stderr.isTerminal) host.stderr.write(`round ${round}: loss ${loss.toFixed(5)}\n`);
  };
  const pairs = pairsOf(fitted, 'order');
  const costs = search(fitted, start, { names, pairs, rounds, onRound });
  const simple = fitRecurrence(fitted, start);
  const predictor = (
    name: string,
    errors: (of: readonly MeasuredCase[]) => number[],
  ): Predictor => {
    return {
      name,
      fitted: summarizeErrors(fitted, errors(fitted)),
      heldBack: summarizeErrors(rest, errors(rest)),
    };
  };
  const recurrence = (of: readonly MeasuredCase[]): number[] =>
    of.flatMap((one) => errorsOf([one], simple.get(one.kernel) ?? recurrenceOf(start)));
  const formula = (of: readonly MeasuredCase[]): number[] =>
    of.map(
      (one) =>
        formulaCycles(one, simple.get(one.kernel) ?? recurrenceOf(start)) / one.measuredCycles - 1,
    );
  const predictors = [
    predictor('simulation', (of) => errorsOf(of, costs)),
    predictor('recurrence', recurrence),
    predictor('formula', formula),
  ];
  const summaryRow = (name: string, errors: readonly number[]) => {
    const all = pairsOf(cases, 'order');
    return {
      name,
      all: all.length,
      right: all.filter((pair) => agreement(cases, errors, pair) > 0).length,
    };
  };
  const errors = errorsOf(cases, costs);
  const choice = (...parameters: string[]) => {
    return { what: parameters.join(', '), ...choiceSummary(cases, errors, parameters) };
  };
  const report = {
    predictors,
    pairs: [
      summaryRow('simulation', errors),
      summaryRow('recurrence', recurrence(cases)),
      summaryRow('formula', formula(cases)),
    ],
    choices: [
      choice('order'),
      choice('stages'),
      choice('order', 'stages'),
      choice('aStages', 'bStages', 'order'),
    ],
    costs,
  };
  host.stdout.write(calibrationTables(report));
  return ExitCode.clean;
}

const EXAMPLES = `
Examples:
  poundlock calibrate bench/h200 --rounds 0                  the accuracy of the current model
  poundlock calibrate bench/h200 --rounds 20                 fit it, hold out every third row
  poundlock calibrate bench/h200 --hold-out stages=4         fit it, hold out the rows with 4 stages
  poundlock calibrate bench/h200 --folds 3 --rounds 8        fit three times, without one third each

DIR holds two_role.csv, three_role.csv, release_order.csv and tensor_core.csv, or some of them.`;

export const calibrateVerb: Verb = (command, host, done) => {
  command
    .argument('<DIR>', 'where the tables are')
    .option('--kernels <DIR>', 'where the measured programs are', 'examples/h200')
    .option('--rounds <N>', 'rounds of the fit; 0 fits nothing', '10')
    .option('--hold-out <name=value>', 'do not fit to these rows (default: every third row)')
    .option('--folds <N>', 'predict each row with parameters fitted to the other N − 1 parts')
    .addHelpText('after', EXAMPLES)
    .action(async (directory: string, options: Options) => {
      done(await run(directory, options, host));
    });
};
