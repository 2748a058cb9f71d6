// `poundlock calibrate`: the accuracy of a model on measured tables, or a model from them.
import { join } from 'node:path';
import { documentation, InputError } from '@poundlock/core/internal/base';
import { mustBeWritable, type Host } from '@poundlock/core/internal/host';
import { printAccuracy } from '../calibration/accuracy.ts';
import { writeModel } from '../calibration/write-model.ts';
import { ExitCode } from '../exit-code.ts';
import { readMeasurements, readTables, rowsOf } from '../measurements.ts';
import { modelNamed } from '../options/model.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly kernels?: string;
  readonly base: string;
  readonly rounds: string;
  readonly out?: string;
  readonly holdOut?: string;
  readonly folds?: string;
}

/** Where a checkout of the repository has the programs that were measured. */
const MEASURED_PROGRAMS = join('examples', 'h200');

/** A whole number; 0 only evaluates the current model. */
function readRounds(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InputError(`--rounds must be a whole number, not "${text}"`);
}

async function run(paths: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  const { out, kernels = MEASURED_PROGRAMS, holdOut, folds } = options;
  const rounds = readRounds(options.rounds);
  if (out !== undefined) {
    if (holdOut !== undefined || folds !== undefined) {
      throw new InputError('--out writes a model; --hold-out and --folds only measure one');
    }
    mustBeWritable(out, host.cwd);
  }
  const base = modelNamed(options.base, host.cwd, '--base');
  const files = await readTables(paths, host.cwd);
  const cases = await readMeasurements(files, kernels, host);
  if (out !== undefined) writeModel(rowsOf(files), cases, { base, rounds, out }, host);
  else {
    const accuracy = {
      rounds,
      ...(holdOut !== undefined && { holdOut }),
      ...(folds !== undefined && { folds }),
    };
    printAccuracy(cases, base, accuracy, host);
  }
  return ExitCode.clean;
}

const EXAMPLES = `
Examples:
  poundlock calibrate my-gpu --rounds 0                      the accuracy of the current model
  poundlock calibrate my-gpu --base h100 --out my-gpu.json   a model of the GPU that was measured
  poundlock calibrate my-gpu --rounds 20                     fit it, hold out every third row
  poundlock calibrate my-gpu --hold-out stages=4             fit it, hold out the rows with 4 stages
  poundlock calibrate my-gpu --folds 3 --rounds 3            without a third of the cells, thrice

TABLES are CSV files that were measured on a GPU, or some of them, or their folder:
${documentation('how-to/gpu-model.md')}`;

export const calibrateVerb: Verb = (command, host, done) => {
  command
    .argument('<TABLES...>', 'the tables, or the folder they are in')
    .option('--out <FILE>', 'write a model for --model, fitted to some rows of each table')
    .option('--base <NAME>', 'the model to start from, for what the tables do not say', 'h200')
    .option('--kernels <DIR>', 'where the measured programs are: those of a checkout by default')
    .option('--rounds <N>', 'rounds of the fit; 0 fits nothing', '10')
    .option('--hold-out <name=value>', 'do not fit to these rows (default: every third row)')
    .option('--folds <N>', 'fit N times, without one part of the cells each, and predict that part')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: Options) => {
      done(await run(paths, options, host));
    });
};
