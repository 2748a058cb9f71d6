// `poundlock advise`: scoped, linear or RAII? Which release point, how many stages?
import { Option } from 'commander';
import { formatPosition, type Position } from '@poundlock/core/internal/base';
import { advise } from '../../advise/index.ts';
import { reportOf, type ReportedAdvice } from '@poundlock/core/internal/finding';
import { attempt, type Attempt } from '../attempt.ts';
import { ExitCode } from '../exit-code.ts';
import { fileName, fileNamer, type Host } from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { readCount } from '../options/amount.ts';
import { readBytes } from '../options/bytes.ts';
import { modelNamed, modelOption } from '../options/model.ts';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
} from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { readTimeout, timeoutOption, type TimeoutOptions } from '../options/timeout.ts';
import { planRuns } from '../plan.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';
import { addLaunchOptions, readLaunchOptions, type LaunchWords } from '../options/launch.ts';

interface Options extends ReporterOptions, TimeoutOptions, LaunchWords {
  readonly model: string;
  readonly set?: readonly string[];
  readonly smem: string;
  readonly maxStates?: string;
}

const EXAMPLES = `
Examples:
  poundlock advise gemm.ts                        what other release points would gain
  poundlock advise gemm.ts --smem 100KiB          with less shared memory for stages
  poundlock advise gemm.ts --set stages=2 --json
  poundlock advise gemm.ts --reporter markdown=advice.md

Exit code: 0 advised, 2 could not run, 3 stopped by a bound`;

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  readLaunchOptions(options);
  const targets = writableTargets(options, host);
  const { maxStates } = options;
  const request: Request = {
    model: modelNamed(options.model),
    sets: readSets(options.set ?? []),
    bounds: {
      smem: readBytes('--smem', options.smem),
      ...(maxStates !== undefined && { maxStates: readCount('--max-states', maxStates) }),
    },
  };
  const work = () => adviseFile(file, request, host);
  const { report, code } = await attempt('advise', file, host, work, readTimeout(options));
  await writeReport(report, targets, host);
  return code;
}

interface Request {
  readonly model: GpuModel;
  readonly sets: ReadonlyMap<string, string>;
  readonly bounds: { readonly smem: number; readonly maxStates?: number };
}

async function adviseFile(
  file: string,
  { model, sets, bounds }: Request,
  host: Host,
): Promise<Attempt<'advise'>> {
  const kernel = await loadKernel(file, host);
  const [params] = planRuns(kernel, { sets, sweeps: [] });
  const named = fileNamer(file, host.cwd);
  const name = (place: Position) => formatPosition({ ...place, file: named(place.file) });
  const found = await advise(kernel, { model, params: params!, ...bounds, name });
  const result: ReportedAdvice = { verb: 'advise', file: fileName(file, host.cwd), ...found };
  return { report: reportOf('advise', version(), [{ result }]), code: ExitCode.clean };
}

export const adviseVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  addLaunchOptions(command);
  command
    .argument('<FILE>', 'program file: a module whose default export is a kernel, or PTX')
    .addOption(modelOption())
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--smem <BYTES>', 'shared memory for stages: 232448 or 227KiB', '227KiB')
    .option('--max-states <N>', 'stop checking the legality of an edit after this many states');
  addReporterOptions(command)
    .addOption(timeoutOption())
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
