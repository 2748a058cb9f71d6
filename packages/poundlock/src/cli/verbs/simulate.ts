// `poundlock simulate`: how fast is a kernel, where does it stall, how many stages does it need?
import { Option } from 'commander';
import { BoundError } from '@poundlock/core/internal/base';
import { Program, type Kernel } from '@poundlock/core/internal/program';
import { predict, simulate, type GpuModel } from '../../simulate/index.ts';
import { chromeTrace, kanataLog, SIMULATION_REPORTERS } from '../../report/index.ts';
import type { SimulatedRun, SimulationReport } from '../../report/index.ts';
import { chartLibrary } from '../chart-library.ts';
import { ExitCode } from '../exit-code.ts';
import {
  asInputError,
  failureLines,
  fileName,
  fileNamer,
  type Host,
  mustBeWritable,
  writeAtomically,
} from '@poundlock/core/internal/host';
import { inlineMore } from '../v8-flags.ts';
import { loadKernel } from '../load-kernel.ts';
import { readCount } from '../options/amount.ts';
import { readCases } from '../options/cases.ts';
import { modelNamed, modelOption } from '../options/model.ts';
import { readTargets } from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { readSweeps } from '../options/sweep.ts';
import { planRuns, type Request, type Run } from '../plan.ts';
import { paintFor } from '../reporter-environment.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly model: string;
  readonly set?: readonly string[];
  readonly sweep?: readonly string[];
  readonly cases?: string;
  readonly json?: true;
  readonly reporter?: readonly string[];
  readonly trace?: string;
  readonly seed?: string;
}

const NAMES = SIMULATION_REPORTERS.map((reporter) => reporter.name).join(', ');

const EXAMPLES = `
Examples:
  poundlock simulate gemm.ts                          where the cycles of one run go
  poundlock simulate gemm.ts --sweep stages=1..8      how many stages are enough
  poundlock simulate gemm.ts --trace gemm.json        a trace for Perfetto; .kanata for Konata
  poundlock simulate gemm.ts --reporter html=gemm.html
  poundlock simulate gemm.ts --cases sizes.csv --json

Exit code: 0 simulated, 2 could not run, or the program deadlocks`;

interface Asked {
  readonly file: string;
  readonly request: Request;
  readonly model: GpuModel;
  readonly seed: number;
  /** How a source file is named to the user. */
  readonly name: (file: string) => string;
}

function reportOf(kernel: Kernel, { file, request, model, seed, name }: Asked): SimulationReport {
  const many = request.sweeps.length > 0 || request.cases !== undefined;
  const runs = planRuns(kernel, request);
  const swept = request.cases === undefined ? request.sweeps.map((sweep) => sweep.name) : [];
  const base = { file, kernel: kernel.name, model, swept };
  if (!many) {
    const found = simulate(kernel, { model, seed, params: runs[0]!.overrides });
    const { params, totalCycles } = found;
    const lines = found.lines.map((line) => {
      return line.file === undefined ? line : { ...line, file: name(line.file) };
    });
    return { ...base, single: { ...found, lines }, runs: [{ params, totalCycles }] };
  }
  const predicted = ({ overrides, params }: Run): SimulatedRun => {
    return { params, totalCycles: predict(new Program(kernel, overrides), model, seed) };
  };
  return { ...base, single: null, runs: runs.map(predicted) };
}

function write(report: SimulationReport, options: Options, host: Host): void {
  const { reporter = [], json, trace } = options;
  for (const target of readTargets(SIMULATION_REPORTERS, reporter, json === true)) {
    const paint = paintFor(target.file === undefined ? host.stdout : undefined, host.env);
    const { columns } = host.stdout;
    const text = target.reporter.render(report, { paint, columns, chartLibrary });
    if (target.file === undefined) host.stdout.write(text);
    else writeAtomically(target.file, host.cwd, text);
  }
  if (trace === undefined) return;
  const text = /\.(kanata|log)$/.test(trace) ? kanataLog(report) : chromeTrace(report);
  writeAtomically(trace, host.cwd, text);
}

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  inlineMore();
  const targets = readTargets(SIMULATION_REPORTERS, options.reporter ?? [], options.json === true);
  for (const name of [...targets.map((target) => target.file), options.trace]) {
    if (name !== undefined) mustBeWritable(name, host.cwd);
  }
  const seed = options.seed === undefined ? 1 : readCount('--seed', options.seed);
  const cases = options.cases === undefined ? undefined : readCases(options.cases, host.cwd);
  const sets = readSets(options.set ?? []);
  const request = { sets, sweeps: readSweeps(options.sweep ?? []), cases };
  const shown = fileName(file, host.cwd);
  try {
    const kernel = await loadKernel(file, host);
    const name = fileNamer(file, host.cwd);
    const model = modelNamed(options.model);
    write(reportOf(kernel, { file: shown, request, model, seed, name }), options, host);
    return ExitCode.clean;
  } catch (error) {
    const isBound = error instanceof BoundError;
    if (!isBound && asInputError(error) === undefined) throw error;
    host.stderr.write(failureLines(error, host, shown));
    return isBound ? ExitCode.inconclusive : ExitCode.couldNotRun;
  }
}

export const simulateVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  const repeatable = (flags: string, text: string) => new Option(flags, text).argParser(collect);
  command
    .argument('<FILE>', 'program text: a module whose default export is a kernel')
    .addOption(modelOption())
    .addOption(repeatable('--set <name=value>', 'set a parameter (repeatable)'))
    .addOption(
      repeatable('--sweep <name=a..b>', 'simulate each of a..b, a..b..step or x,y,z (repeatable)'),
    )
    .option('--cases <FILE.csv>', 'simulate each row; a snake_case header names parameters')
    .addOption(repeatable('--reporter <NAME[=FILE]>', `${NAMES}: to stdout or a file (repeatable)`))
    .option('--json', 'the same as --reporter json')
    .option('--trace <FILE>', 'write a trace for Perfetto, or for Konata if it ends in .kanata')
    .option('--seed <N>', 'draw memory latencies and open choices from this seed (default: 1)')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await run(file, options, host)));
};
