// `poundlock simulate`: predicts cycles, stalls and the number of stages that a kernel needs.
import { Option } from 'commander';
import {
  completedResults,
  reportOf,
  type ReportedSimulation,
  type SimulationDetail,
} from '@poundlock/core/internal/finding';
import {
  fileName,
  fileNamer,
  mustBeWritable,
  Progress,
  writeAtomically,
} from '@poundlock/core/internal/host';
import type { Host } from '@poundlock/core/internal/host';
import { TRACE_WRITERS, type TraceFormat } from '../../report/index.ts';
import {
  atSustainedClock,
  costsOf,
  limitsOf,
  predict,
  simulate,
  timedProgram,
  type GpuModel,
  type SimulateResult,
} from '../../simulate/index.ts';
import { attempt, type Attempt } from '../attempt.ts';
import { ExitCode } from '../exit-code.ts';
import { inlineMore } from '../v8-flags.ts';
import { loadKernel } from '../load-kernel.ts';
import { moreStages } from '../more-stages.ts';
import { readCount } from '../options/amount.ts';
import { readCases } from '../options/cases.ts';
import { modelNamed, modelOption } from '../options/model.ts';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
} from '../options/reporters.ts';
import { forgetPrograms } from '../own-package.ts';
import { readSets } from '../options/set.ts';
import { readSweeps } from '../options/sweep.ts';
import { readTimeout, timeoutOption, type TimeoutOptions } from '../options/timeout.ts';
import { planRuns, type Request } from '../plan.ts';
import { version } from '../version.ts';
import { repeatOnChange } from '../watch.ts';
import { watchedFiles } from '../watched-files.ts';
import type { Verb } from './verb.ts';
import { inferredLaunch } from '../inferred-launch.ts';
import { addInferenceOptions, addLaunchOptions } from '../options/launch.ts';
import { readLaunchOptions, requirePtxFile } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';

interface Options extends ReporterOptions, TimeoutOptions, LaunchWords {
  readonly model: string;
  readonly clock: 'burst' | 'sustained';
  readonly set?: readonly string[];
  readonly sweep?: readonly string[];
  readonly cases?: string;
  readonly trace?: string;
  readonly seed?: string;
  readonly watch?: true;
  readonly details?: true;
}

const EXAMPLES = `
Examples:
  poundlock simulate gemm.ts                          what to change, and where cycles go
  poundlock simulate gemm.ts --details                all figures, and the timeline
  poundlock simulate gemm.ts --sweep stages=1..8      how many stages are enough
  poundlock simulate gemm.ts --trace gemm.json        a trace for Perfetto; .kanata for Konata
  poundlock simulate gemm.ts --reporter html=gemm.html
  poundlock simulate gemm.ts --cases sizes.csv --json

Exit code: 0 simulated, 1 deadlocks or breaks a rule, 2 could not run, 3 stopped by a bound`;

interface Simulations {
  readonly request: Request;
  readonly model: GpuModel;
  readonly seed: number;
}

async function run(file: string, options: Options, host: Host): Promise<ExitCode> {
  readLaunchOptions(options, { infer: (file) => inferredLaunch(file, host) });
  requirePtxFile(options, [file]);
  inlineMore();
  const { trace } = options;
  const targets = writableTargets(options, host);
  if (trace !== undefined) mustBeWritable(trace, host.cwd);
  const seed = options.seed === undefined ? 1 : readCount('--seed', options.seed);
  const cases = options.cases === undefined ? undefined : await readCases(options.cases, host.cwd);
  const sets = readSets(options.set ?? []);
  const request = { sets, sweeps: readSweeps(options.sweep ?? []), cases };
  const burst = modelNamed(options.model, host.cwd);
  const model = options.clock === 'sustained' ? atSustainedClock(burst) : burst;
  const simulations = { request, model, seed };
  const work = () => simulateFile(file, simulations, host);
  const { report, code } = await attempt('simulate', file, host, work, readTimeout(options));
  await writeReport(report, targets, host, options.details === true ? 'whole' : 'hidden');
  const isDone = completedResults(report).length > 0;
  if (trace !== undefined && isDone) {
    writeAtomically(trace, host.cwd, TRACE_WRITERS[traceFormat(trace)](report));
  }
  return code;
}

/** Simulates once, or again after each change. */
function runOrWatch(file: string, options: Options, host: Host): Promise<ExitCode> {
  if (options.watch === undefined) return run(file, options, host);
  const { launch, cases } = options;
  const repeated = {
    once: () => run(file, options, host).finally(forgetPrograms),
    files: () => watchedFiles([file], [launch, cases], host),
  };
  return repeatOnChange(repeated, host);
}

/** The viewer of a trace, by its file name. */
function traceFormat(file: string): TraceFormat {
  return /\.(kanata|log)$/.test(file) ? 'kanata' : 'chrome';
}

async function simulateFile(
  file: string,
  { request, model, seed }: Simulations,
  host: Host,
): Promise<Attempt<'simulate'>> {
  const kernel = await loadKernel(file, host);
  const name = fileNamer(file, host.cwd);
  const isBatch = request.sweeps.length > 0 || request.cases !== undefined;
  const swept = request.cases === undefined ? request.sweeps.map((sweep) => sweep.name) : [];
  const { title, caveat, parameters } = model;
  const clockMegahertz = parameters.idleMegahertz.value;
  const costs = costsOf(model);
  const base = {
    verb: 'simulate' as const,
    file: fileName(file, host.cwd),
    kernel: kernel.name,
    model: { name: model.name, title, caveat, clockMegahertz },
  };
  const progress = new Progress(host);
  const runs = planRuns(kernel, request);
  const results = runs.map((resolved, done): ReportedSimulation => {
    progress.update(`simulating ${kernel.name}`, [{ done, all: runs.length, unit: 'run' }]);
    const params = resolved.values;
    if (isBatch) {
      const program = timedProgram(kernel, model, resolved);
      const limits = limitsOf(program, costs);
      return { ...base, params, totalCycles: predict(program, model, seed), limits, detail: null };
    }
    const { totalCycles, limits, ...found } = simulate(kernel, { model, seed, params: resolved });
    const { microseconds } = found.device;
    // The clock depends on the work: this is its average.
    const average = microseconds === 0 ? 0 : Math.round(totalCycles / microseconds);
    const used = { ...base.model, clockMegahertz: average };
    const { events } = found.stats;
    const more = moreStages(kernel, resolved, { model, seed, totalCycles, events });
    const detail = { ...detailOf(found, name), moreStages: more };
    return { ...base, model: used, params, totalCycles, limits, detail };
  });
  progress.clear();
  const entries = results.map((result) => ({ result }));
  const report = reportOf('simulate', version(), entries, { isBatch, swept });
  return { report, code: ExitCode.clean };
}

/** What a report contains for one run, with files as the user named them. */
function detailOf(
  found: Omit<SimulateResult, 'totalCycles' | 'limits'>,
  name: (file: string) => string,
): Omit<SimulationDetail, 'moreStages'> {
  const { roles, rings, lines, criticalPath, device, stats, recording } = found;
  const shown = lines.map((line) => {
    return line.file === undefined ? line : { ...line, file: name(line.file) };
  });
  return { roles, rings, lines: shown, criticalPath, device, stats, timeline: recording };
}

export const simulateVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  const repeatable = (flags: string, text: string) => new Option(flags, text).argParser(collect);
  addLaunchOptions(command);
  addInferenceOptions(command);
  command
    .argument('<FILE>', 'program file: a module whose default export is a kernel, or PTX')
    .addOption(modelOption())
    .addOption(
      new Option('--clock <KIND>', 'of tensor-core work: at its start, or at the power limit')
        .choices(['burst', 'sustained'])
        .default('burst'),
    )
    .addOption(repeatable('--set <name=value>', 'set a parameter (repeatable)'))
    .addOption(
      repeatable('--sweep <name=a..b>', 'simulate each of a..b, a..b..step or x,y,z (repeatable)'),
    )
    .option('--cases <FILE.csv>', 'simulate each row; a snake_case header names parameters');
  addReporterOptions(command)
    .option('--trace <FILE>', 'write a trace for Perfetto, or for Konata if it ends in .kanata')
    .addOption(timeoutOption())
    .option('--details', 'show all figures and the timeline in the terminal')
    .option('--seed <N>', 'draw memory latencies and open choices from this seed (default: 1)')
    .option('--watch', 'simulate again whenever the file or an import of it changes')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await runOrWatch(file, options, host)));
};
