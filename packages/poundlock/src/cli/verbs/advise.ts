// `poundlock advise`: scoped, linear or RAII? Which release point, how many stages?
import { Option } from 'commander';
import { formatPosition } from '@poundlock/core/internal/base';
import { advise } from '../../advise/index.ts';
import { adviceJson, adviceText } from '../../report/index.ts';
import { ExitCode } from '../exit-code.ts';
import {
  asInputError,
  failureLines,
  fileName,
  fileNamer,
  type Host,
} from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { readCount } from '../options/amount.ts';
import { readBytes } from '../options/bytes.ts';
import { modelNamed, modelOption } from '../options/model.ts';
import { readSets } from '../options/set.ts';
import { planRuns } from '../plan.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly model: string;
  readonly set?: readonly string[];
  readonly smem: string;
  readonly maxStates?: string;
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  poundlock advise gemm.ts                        what other ownership would bring
  poundlock advise gemm.ts --smem 100KiB          with less memory for stages
  poundlock advise gemm.ts --set stages=2 --json

Exit code: 0 advised, 2 could not run`;

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  const smem = readBytes('--smem', options.smem);
  const sets = readSets(options.set ?? []);
  const { maxStates } = options;
  const bound = maxStates === undefined ? {} : { maxStates: readCount('--max-states', maxStates) };
  try {
    const kernel = await loadKernel(file, host);
    const [params] = planRuns(kernel, { sets, sweeps: [] });
    const named = fileNamer(file, host.cwd);
    const result = await advise(kernel, {
      model: modelNamed(options.model),
      params,
      smem,
      ...bound,
      name: (place) => formatPosition({ ...place, file: named(place.file) }),
    });
    const paint = paintFor(host.stdout, host.env);
    host.stdout.write(options.json === true ? adviceJson(result) : adviceText(result, paint));
    return ExitCode.clean;
  } catch (error) {
    if (asInputError(error) === undefined) throw error;
    host.stderr.write(failureLines(error, host, fileName(file, host.cwd)));
    return ExitCode.couldNotRun;
  }
}

export const adviseVerb: Verb = (program, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  program
    .command('advise')
    .description('price other release points, orders and stages, as far as check allows them')
    .argument('<FILE>', 'program text: a module whose default export is a kernel')
    .addOption(modelOption())
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--smem <BYTES>', 'shared memory for stages: 232448 or 227KiB', '227KiB')
    .option('--max-states <N>', 'give up on the legality of an edit after this many states')
    .option('--json', 'one JSON document')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
