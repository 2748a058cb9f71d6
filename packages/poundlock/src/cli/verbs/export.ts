// `poundlock export`: a kernel as a Promela program, a TLA+ module or a drawing.
import { parse } from 'node:path';
import { Option } from 'commander';
import { InputError, TimeUpError } from '@poundlock/core/internal/base';
import {
  asInputError,
  failureLines,
  fileName,
  type Host,
  mustBeWritable,
  writeAtomically,
} from '@poundlock/core/internal/host';
import { ExitCode } from '../exit-code.ts';
import { loadKernel } from '../load-kernel.ts';
import { readCount } from '../options/amount.ts';
import { readSets } from '../options/set.ts';
import { readTimeout, timeoutOption, type TimeoutOptions } from '../options/timeout.ts';
import { planRuns } from '../plan.ts';
import {
  DEFAULT_MAX_ANSWERS,
  DEFAULT_MAX_STEPS,
  exportKernel,
  FORMATS,
  type Format,
} from '../../export/index.ts';
import type { Verb } from './verb.ts';
import { addLaunchOptions, readLaunchOptions, requirePtxFile } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';

interface Options extends TimeoutOptions, LaunchWords {
  readonly format: Format;
  readonly set?: readonly string[];
  readonly output?: string;
  readonly maxSteps?: string;
  readonly maxAnswers?: string;
}

const EXAMPLES = `
Examples:
  poundlock export gemm.ts --format promela --set tiles=4 -o gemm.pml
  spin -a gemm.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
  poundlock export gemm.ts --format dot | dot -Tsvg > gemm.svg

Exit code: 0 exported, 2 could not run, or larger than a bound, 3 stopped by --timeout`;

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  readLaunchOptions(options);
  requirePtxFile(options, [file]);
  const { format, output, maxSteps, maxAnswers } = options;
  if (output !== undefined) mustBeWritable(output, host.cwd);
  const sets = readSets(options.set ?? []);
  const bounds = {
    ...(maxSteps !== undefined && { maxSteps: readCount('--max-steps', maxSteps) }),
    ...(maxAnswers !== undefined && { maxAnswers: readCount('--max-answers', maxAnswers) }),
  };
  try {
    const work = async (): Promise<string> => {
      const kernel = await loadKernel(file, host);
      const [params] = planRuns(kernel, { sets, sweeps: [] });
      const isNamed = output !== undefined && format === 'tla';
      const module = isNamed ? { module: parse(output).name } : {};
      return exportKernel(kernel, format, { params, ...bounds, ...module });
    };
    const text = await host.guarded(file, work, readTimeout(options));
    if (output === undefined) host.stdout.write(text);
    else writeAtomically(output, host.cwd, text);
    return ExitCode.clean;
  } catch (thrown) {
    const isLate = thrown instanceof TimeUpError;
    const error = isLate ? new InputError(thrown.message) : thrown;
    if (asInputError(error) === undefined) throw error;
    host.stderr.write(failureLines(error, host, fileName(file, host.cwd)));
    return isLate ? ExitCode.inconclusive : ExitCode.couldNotRun;
  }
}

export const exportVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  addLaunchOptions(command);
  command
    .argument('<FILE>', 'program file: a module whose default export is a kernel, or PTX')
    .addOption(
      new Option('--format <NAME>', 'the output format')
        .choices([...FORMATS])
        .makeOptionMandatory(),
    )
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('-o, --output <FILE>', 'write to a file instead of stdout')
    .option(
      '--max-steps <N>',
      `the maximum number of steps of all roles (default: ${DEFAULT_MAX_STEPS})`,
    )
    .option(
      '--max-answers <N>',
      `the maximum number of values of a cell (default: ${DEFAULT_MAX_ANSWERS})`,
    )
    .addOption(timeoutOption('stop'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
