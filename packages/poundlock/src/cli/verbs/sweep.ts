// `poundlock sweep`: many sets of parameters as jobs, and which of them are worth choosing.
import { Option } from 'commander';
import { duration, InputError } from '@poundlock/core/internal/base';
import { asInputError, fileName, failureLines, Progress } from '@poundlock/core/internal/host';
import { withoutGlobs, type Host } from '@poundlock/core/internal/host';
import { counted } from '../../report/index.ts';
import { frontRows } from '../../report/sweeps/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import { ExitCode, worst } from '../exit-code.ts';
import { SWEEP_VERBS, type SweepVerb } from '../jobs/job.ts';
import type { ResultDocument } from '../jobs/outcome.ts';
import { ofShard, planHash } from '../jobs/plan.ts';
import type { PooledJob } from '../jobs/pool.ts';
import { loadProgram } from '../jobs/read-program.ts';
import { ResultsFolder } from '../jobs/results-folder.ts';
import { runJobs } from '../jobs/run-jobs.ts';
import { readBytes } from '../options/bytes.ts';
import { acceptOption, readCheckOptions } from '../options/check-options.ts';
import { readCheckConfig, withConfig } from '../options/config.ts';
import { flagName } from '../options/flag-name.ts';
import { readCount, readTime } from '../options/amount.ts';
import { addLaunchOptions, readLaunchOptions, requirePtxFile } from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';
import { modelOption, modelNamed, modelTextOf } from '../options/model.ts';
import { readSets } from '../options/set.ts';
import { readSweeps } from '../options/sweep.ts';
import { readJobLimit, readShard, readWorkers } from '../options/workers.ts';
import { withoutFolders } from '../recorded-files.ts';
import { runTimeline } from '../run-timeline.ts';
import { estimateMs, sampleOf } from '../sweep/estimate.ts';
import { sweepExitCode } from '../sweep/exit-code.ts';
import { planSweep, readPer, type PlannedSweep, type SweptProgram } from '../sweep/plan-sweep.ts';
import { sweepReport } from '../sweep/sweep-report.ts';
import { mustBeWritableTargets, writeSweep, type SweepTargets } from '../sweep/targets.ts';
import type { Verb } from './verb.ts';

interface Options extends LaunchWords, SweepTargets {
  readonly over?: readonly string[];
  readonly set?: readonly string[];
  readonly verb: string;
  readonly per?: string;
  readonly model: string;
  readonly seed?: string;
  readonly smem?: string;
  readonly accept?: readonly string[];
  readonly maxStates?: string;
  readonly timeout?: string;
  readonly workers?: string;
  readonly results?: string;
  readonly shard?: string;
  readonly dryRun?: true;
  readonly farm?: string;
  readonly jobLimit?: string;
}

const EXAMPLES = `
Examples:
  poundlock sweep gemm.ts --over stages=1..8 --over tileBytes=8192,16384
  poundlock sweep builds --verb simulate              which of the builds is the fastest
  poundlock sweep gemm.ts --over stages=1..8 --verb check,simulate,advise --html sweep.html
  poundlock sweep gemm.ts --over stages=1..8 --results results      what is there is not run again
  poundlock sweep gemm.ts --over stages=1..8 --dry-run              how many jobs, and how long
  poundlock sweep gemm.ts --over stages=1..8 --shard 1/4 --results part-1
  poundlock merge part-* --csv sweep.csv

Exit code: the worst of its rows: 2 could not run, 1 counterexample, 3 undecided or not run`;

async function run(words: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  readLaunchOptions(options);
  const files = withoutFolders(withoutGlobs(words, host.cwd), host.cwd);
  requirePtxFile(options, files);
  mustBeWritableTargets(options, host);
  const threads = readWorkers(options.workers);
  const planned = await plan(files, options, host);
  const results =
    options.results === undefined ? null : new ResultsFolder(options.results, host.cwd);
  const shard = readShard(options.shard);
  if (shard !== null && results === null)
    throw new InputError('--shard needs --results FOLDER, which `poundlock merge` puts together');
  const jobs = shard === null ? planned.jobs : ofShard(planned.jobs, shard);
  if (options.dryRun) return dryRun(planned, jobs, { threads, results }, host);
  results?.create();
  results?.writePlan(planned.plan, planHash(planned.plan));
  const progress = new Progress(host);
  const onProgress = (number: number, all: number): void => {
    progress.update(`sweeping ${words.join(' ')}`, [{ done: number, all, unit: 'job' }]);
  };
  const { farm } = options;
  const limitMs = readJobLimit(options.jobLimit);
  const found = await runJobs(jobs, { host, threads, results, farm, limitMs, onProgress });
  progress.clear();
  return shard === null
    ? reportAll(planned, found, options, host)
    : reportShard(jobs, found.documents, found.isInterrupted, host);
}

/** A sweep with what its fastest row is drawn from. */
interface LoadedSweep extends PlannedSweep {
  readonly programs: readonly SweptProgram[];
  readonly model: GpuModel;
}

/** Reads everything, so that a mistake is reported before anything runs. */
async function plan(files: readonly string[], options: Options, host: Host): Promise<LoadedSweep> {
  const sweeps = readSweeps(options.over ?? [], '--over');
  if (sweeps.length === 0 && files.length === 1)
    throw new InputError('--over NAME=a..b says what the sweep varies; or give several files');
  const verbs = readVerbs(options.verb);
  requireVerb(options, verbs);
  const { maxStates, seed, smem, timeout } = options;
  const states = maxStates === undefined ? {} : { maxStates: readCount('--max-states', maxStates) };
  const seeded = seed === undefined ? {} : { seed: readCount('--seed', seed) };
  const timed = timeout === undefined ? {} : { timeoutMs: readTime('--timeout', timeout) };
  const text = modelTextOf(options.model, host.cwd);
  const model = modelNamed(options.model, host.cwd);
  const words = { engine: 'auto', accept: options.accept, assume: options.assume } as const;
  const { accept, deny } = readCheckOptions(withConfig(words, await readCheckConfig(host)), true);
  const programs = await programsOf(files, host);
  const planned = planSweep(
    {
      programs,
      verbs,
      sets: readSets(options.set ?? []),
      sweeps,
      per: readPer(options.per),
      check: { sizes: 'requested', shrinkTries: 0, accept, deny, ...states, ...timed },
      model: {
        model: options.model,
        ...(text !== null && { modelText: text }),
        ...(smem !== undefined && { smem: readBytes('--smem', smem) }),
        ...seeded,
        ...states,
        ...timed,
      },
    },
    host,
  );
  return { ...planned, programs, model };
}

/** By option: the verbs that use it. */
const USED_BY = {
  seed: ['simulate'],
  per: ['simulate'],
  smem: ['advise'],
  accept: ['check'],
  maxStates: ['check', 'advise'],
} as const satisfies Partial<Record<keyof Options, readonly SweepVerb[]>>;

function requireVerb(options: Options, verbs: readonly SweepVerb[]): void {
  for (const [name, users] of Object.entries(USED_BY)) {
    if (options[name as keyof Options] === undefined) continue;
    if (users.some((user) => verbs.includes(user))) continue;
    throw new InputError(`--${flagName(name)} has no effect without --verb ${users.join(' or ')}`);
  }
}

/** Loads the programs: an error names its file, and of several files it is a row. */
async function programsOf(files: readonly string[], host: Host): Promise<SweptProgram[]> {
  const programs: SweptProgram[] = [];
  for (const file of files) {
    try {
      programs.push({ file, loaded: await loadProgram(file, host) });
    } catch (error) {
      const input = asInputError(error);
      if (files.length > 1 && input !== undefined) {
        programs.push({ file, loaded: input.message });
        continue;
      }
      host.stderr.write(failureLines(error, host, fileName(file, host.cwd)));
      throw new ReportedError();
    }
  }
  return programs;
}

/** An error that was written to stderr. */
class ReportedError extends Error {}

function readVerbs(text: string): SweepVerb[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !SWEEP_VERBS.some((verb) => verb === word));
  if (unknown !== undefined)
    throw new InputError(`--verb takes ${SWEEP_VERBS.join(', ')}, not "${unknown}"`);
  return SWEEP_VERBS.filter((verb) => words.includes(verb));
}

interface Running {
  readonly threads: number;
  readonly results: ResultsFolder | null;
}

/** Runs a few jobs to say how long all will take; a folder keeps their results. */
async function dryRun(
  planned: PlannedSweep,
  jobs: readonly PooledJob[],
  { threads, results }: Running,
  host: Host,
): Promise<ExitCode> {
  const { plan: sweep } = planned;
  const known = jobs.filter(({ hash }) => (results?.read(hash) ?? null) !== null);
  const missing = jobs.filter((job) => !known.includes(job));
  const sample = sampleOf(missing, sweep.verbs.length);
  const options = { host, threads: 1, results, onProgress: () => undefined };
  const { documents, isInterrupted } = await runJobs(sample, options);
  if (isInterrupted) return ExitCode.inconclusive;
  const left = missing.filter(({ hash }) => results === null || !documents.has(hash));
  const time = estimateMs(left, documents.values(), threads);
  host.stdout.write(
    [
      `${counted(sweep.rows.length, 'set')} of parameters, ${sweep.verbs.join(', ')}: ` +
        `${counted(jobs.length, 'job')}`,
      ...(known.length === 0 ? [] : [`${counted(known.length, 'result')} already there`]),
      `about ${duration(time)} with ${counted(threads, 'worker')}, judged by ` +
        `${counted(documents.size, 'job')} that ran now`,
      '',
    ].join('\n'),
  );
  return ExitCode.clean;
}

interface Found {
  readonly documents: ReadonlyMap<string, ResultDocument>;
  readonly isInterrupted: boolean;
  readonly known: number;
}

function reportAll(
  { plan: sweep, programs, model }: LoadedSweep,
  { documents, isInterrupted, known }: Found,
  options: Options,
  host: Host,
): ExitCode {
  const report = sweepReport(sweep, documents);
  const fastest = options.html === undefined ? undefined : frontRows(report).at(-1);
  const { loaded } = programs[0]!;
  const isDrawn = programs.length === 1 && typeof loaded !== 'string' && fastest !== undefined;
  const run = isDrawn ? runTimeline(loaded.kernel, model, fastest.params) : undefined;
  writeSweep(report, options, host, run);
  if (known > 0) host.stderr.write(`${counted(known, 'result')} already there\n`);
  if (isInterrupted) {
    const more = options.results === undefined ? '' : ': the same command goes on from there';
    host.stderr.write(`poundlock: interrupted, ${documents.size} jobs are done${more}\n`);
  }
  return worst([sweepExitCode(report), ...(isInterrupted ? [ExitCode.inconclusive] : [])]);
}

function reportShard(
  jobs: readonly PooledJob[],
  documents: ReadonlyMap<string, ResultDocument>,
  isInterrupted: boolean,
  host: Host,
): ExitCode {
  host.stdout.write(`${documents.size} of ${counted(jobs.length, 'job')} of this part are done\n`);
  return isInterrupted ? ExitCode.inconclusive : ExitCode.clean;
}

export const sweepVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  addLaunchOptions(command);
  command
    .argument(
      '<FILES...>',
      'a kernel as a module or PTX; several of them, or a folder of launches, to rank',
    )
    .addOption(
      new Option(
        '--over <name=a..b>',
        'vary a parameter: a..b, a..b..step or x,y,z (repeatable)',
      ).argParser(collect),
    )
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--verb <VERBS>', `what is done for each: ${SWEEP_VERBS.join(',')}`, 'check,simulate')
    .option('--per <PRODUCT>', 'compare cycles divided by work, such as tiles*clusterM')
    .addOption(modelOption())
    .option('--seed <N>', 'draw memory latencies and open choices from this seed (default: 1)')
    .option('--smem <BYTES>', 'of advise: shared memory for stages: 232448 or 227KiB')
    .addOption(acceptOption('of check: '))
    .option('--max-states <N>', 'stop a job as inconclusive after this many states')
    .option('--timeout <TIME>', 'stop a job as inconclusive after 30, 30s, 500ms or 2m')
    .addOption(
      new Option('--workers <N>', 'threads that run jobs (default: one for each core)').conflicts(
        'farm',
      ),
    )
    .option('--results <FOLDER>', 'keep results here; those that are there are not run again')
    .option('--shard <i/n>', 'run only the i-th of n parts, for `poundlock merge`')
    .option('--farm <URL>', 'run jobs on the workers of a farm: redis:// or postgres://')
    .option('--job-limit <TIME>', 'end a job as inconclusive after this time (with --farm: 10m)')
    .option('--dry-run', 'say how many jobs there are, and how long they will take')
    .option('--csv [FILE]', 'write a table as CSV')
    .option('--json [FILE]', 'write a JSON document')
    .option('--html <FILE>', 'write a page with plots')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: Options) => {
      try {
        done(await run(files, options, host));
      } catch (error) {
        if (!(error instanceof ReportedError)) throw error;
        done(ExitCode.couldNotRun);
      }
    });
};
