// `poundlock check`: can any interleaving deadlock, race, leak or misuse a stage?
import { Option, type Command } from 'commander';
import { mustBeWritable, withoutGlobs, type Host } from '@poundlock/core/internal/host';
import { CheckSession, type Checks, type Planned } from '../check-files.ts';
import { DEFAULT_DELAY, readDelay } from '../options/delay.ts';
import { isPtx } from '../load-ptx.ts';
import { forgetPrograms } from '../own-package.ts';
import { repeatOnChange } from '../watch.ts';
import { watchedFiles } from '../watched-files.ts';
import type { ExitCode } from '../exit-code.ts';
import { InputError } from '@poundlock/core/internal/base';
import { checkAsJobs, wantsJobs, type CheckJobWords } from '../jobs/check-jobs.ts';
import { readCases } from '../options/cases.ts';
import { flagName } from '../options/flag-name.ts';
import {
  acceptOption,
  DEFAULT_SHRINK_TRIES,
  oneEvery,
  readCheckOptions,
  repeatable,
  requireEffect,
} from '../options/check-options.ts';
import type { CheckWords } from '../options/check-options.ts';
import { readCheckConfig, withConfig } from '../options/config.ts';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
  type Target,
} from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { readSweeps } from '../options/sweep.ts';
import { checkEntries, projectEntries, withWords } from '../project-checks.ts';
import type { EntryOutcome, ProjectEntry } from '../project-checks.ts';
import { withoutFolders } from '../recorded-files.ts';
import { repeatProof } from '../certificate/repeat.ts';
import { writeCertificate } from '../certificate/write.ts';
import { writeStepsFile } from '../steps-file.ts';
import type { Report, ReportedFinding } from '@poundlock/core/internal/finding';
import { ENGINES, MEMORY_PROFILES, SIZES } from '../../check/index.ts';
import type { Verb } from './verb.ts';
import {
  addBlockOption,
  addInferenceOptions,
  addLaunchOptions,
  readLaunchOptions,
  requirePtxFile,
} from '../options/launch.ts';
import type { LaunchWords } from '../options/launch.ts';

interface Options extends ReporterOptions, CheckWords, LaunchWords, CheckJobWords {
  readonly set?: readonly string[];
  readonly sweep?: readonly string[];
  readonly cases?: string;
  readonly certificate?: string;
  readonly steps?: string;
  readonly delays?: string;
  readonly delay: string;
  readonly verify?: string;
  readonly link?: true;
  readonly verbose?: true;
  readonly trace?: TraceAmount;
  readonly watch?: true;
}

/** Which findings keep their schedules in a report. */
const TRACES = ['none', 'first', 'all'] as const;
type TraceAmount = (typeof TRACES)[number];

const EXAMPLES = `
Examples:
  poundlock check gemm.ts                            every interleaving of one kernel
  poundlock check gemm.ts --set stages=4             with another parameter
  poundlock check gemm.ts --sweep stages=1..8        once for each of 1, 2 … 8
  poundlock check gemm.ts --every tiles              for every number of tiles at once
  poundlock check gemm.ts --cases sizes.csv --json   once per row, as one JSON document
  poundlock check kernel.ptx --only-block 7,0,0      one block of the grid alone
  poundlock check *.ts --reporter terminal --reporter json=out.json
  poundlock check gemm.ts --certificate gemm.json    write the proof to a file
  poundlock check --verify gemm.json                 repeat the proof
  poundlock check recorded --results results         only what has changed since
  poundlock check *.ts --reporter github --reporter sarif=out.sarif

Exit code: 0 certified, 1 counterexample, 2 could not run, 3 inconclusive;
of several results 2 > 1 > 3 > 0`;

/** The options that `--verify` takes from the certificate, or that lead to no proof. */
const CHECK_OPTIONS = [
  'set',
  'sweep',
  'cases',
  'engine',
  'every',
  'sizes',
  'deny',
  'replay',
  'example',
  'certificate',
  'steps',
  'delays',
  'link',
  'results',
  'workers',
  'shard',
  'farm',
  'jobLimit',
  'watch',
];

/** Checks once, or again after each change. */
function runOrWatch(words: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  if (options.watch === undefined) return run(words, options, host);
  const { launch, cases } = options;
  const files = withoutGlobs(
    words.filter((word) => !isFlag(word)),
    host.cwd,
  );
  let ofProject: readonly string[] = [];
  const once = async (): Promise<ExitCode> => {
    if (files.length === 0)
      ofProject = (await projectEntries(host)).flatMap((entry) => entry.files);
    return run(words, options, host).finally(forgetPrograms);
  };
  const watched = () => watchedFiles([...files, ...ofProject], [launch, cases], host);
  return repeatOnChange({ once, files: watched }, host);
}

/** Behind `--` are words of a compiler. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

async function run(all: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  const words = all.filter((word) => !isFlag(word));
  readLaunchOptions(options, { compilerFlags: all.filter(isFlag) });
  const files = withoutFolders(withoutGlobs(words, host.cwd), host.cwd);
  const targets = writableTargets(options, host);
  if (options.certificate !== undefined) mustBeWritable(options.certificate, host.cwd);
  if (options.steps !== undefined) mustBeWritable(options.steps, host.cwd);
  if (options.verify !== undefined) return verify(options.verify, files, options, targets, host);
  if (files.length === 0) return checkProject(options, targets, host);
  requirePtxFile(options, files);
  if (options.delays !== undefined && !files.some((file) => isPtx(file)))
    throw new InputError('--delays has no effect: it is for PTX files');
  const request = await readRequest(files, options, host);
  if (wantsJobs(options)) return runJobs(request, options, targets, host);
  const session = new CheckSession(host, request);
  const report = await session.run();
  if (options.steps !== undefined) writeStepsFile(session.first, options.steps, host);
  const schedules = options.replay === undefined ? schedulesOf(options) : 'whole';
  await writeReport(withTraces(report, options.trace), targets, host, schedules);
  if (options.certificate !== undefined) await writeCertificate(report, options.certificate, host);
  if (options.delays !== undefined)
    await writeDelaysOf(report, session.first, options.delays, readDelay(options.delay), host);
  if (options.link === true) {
    // The playground knows PTX and advice, which take as long to load as all else.
    const { printLink } = await import('../playground-link.ts');
    await printLink(files[0]!, session.first, report, targets, host);
  }
  return session.exitCode;
}

/** Options that are about one kernel, or that only files of a command line have. */
const OF_ONE_FILE = [
  'replay',
  'example',
  'certificate',
  'steps',
  'delays',
  'link',
  'cases',
  'results',
  'workers',
  'shard',
  'farm',
] as const;

/** Checks the kernels that the configuration of the project names. */
async function checkProject(
  options: Options,
  targets: readonly Target[],
  host: Host,
): Promise<ExitCode> {
  const useless = OF_ONE_FILE.find((name) => options[name] !== undefined);
  if (useless !== undefined) throw new InputError(`--${flagName(useless)} needs a FILE`);
  const checkOne = async ({ files, words }: ProjectEntry): Promise<EntryOutcome> => {
    const all = withWords(words, options);
    readLaunchOptions(all);
    requirePtxFile(all, files);
    const session = new CheckSession(host, await readRequest(files, all, host));
    return { report: await session.run(), code: session.exitCode };
  };
  const { report, code } = await checkEntries(await projectEntries(host), checkOne, host);
  await writeReport(withTraces(report, options.trace), targets, host, schedulesOf(options));
  return code;
}

/** The schedule of the first error, as a text that makes it likely. */
async function writeDelaysOf(
  { findings }: Report<'check'>,
  first: Planned | null,
  out: string,
  nanoseconds: number,
  host: Host,
): Promise<void> {
  if (first === null) return;
  const error = findings.find(({ severity, replayToken }) => {
    return severity === 'error' && replayToken !== undefined;
  });
  if (error === undefined) {
    host.stderr.write('poundlock: --delays: there is no finding with a schedule\n');
    return;
  }
  const { writeDelays } = await import('../delays.ts');
  await writeDelays(first, error.replayToken!, out, nanoseconds, host);
}

/** What is checked: programs, each with the parameters of every case, and how. */
async function readRequest(
  files: readonly string[],
  options: Options,
  host: Host,
): Promise<Checks> {
  const cases = options.cases === undefined ? undefined : await readCases(options.cases, host.cwd);
  const sets = readSets(options.set ?? []);
  const sweeps = readSweeps(options.sweep ?? []);
  const isListed = sweeps.length > 0 || cases !== undefined;
  const many = files.length > 1 || isListed;
  for (const name of ['replay', 'certificate', 'steps', 'delays', 'link'] as const) {
    if (options[name] === undefined || !many) continue;
    throw new InputError(`--${name} takes one file and one set of parameters`);
  }
  // A list of sizes gets a verdict for each of them.
  const isOpen = options.every === undefined && options.example === undefined;
  const sizes = options.sizes ?? (isListed && isOpen ? 'requested' : undefined);
  const words = withConfig({ ...options, sizes }, await readCheckConfig(host));
  const chosen = readCheckOptions(words, many);
  requireEffect(chosen);
  return { files, request: { sets, sweeps, cases }, chosen };
}

async function runJobs(
  request: Checks,
  options: Options,
  targets: readonly Target[],
  host: Host,
): Promise<ExitCode> {
  for (const name of ['certificate', 'steps', 'delays', 'onlyBlock'] as const) {
    if (options[name] === undefined) continue;
    throw new InputError(`--${flagName(name)} is for one check: leave --results and --workers out`);
  }
  const { report, code } = await checkAsJobs(request, options, host);
  if (report !== null) await writeReport(report, targets, host, schedulesOf(options));
  return code;
}

/** A report whose findings have their schedules, or the first of each result, or none. */
function withTraces(report: Report<'check'>, amount: TraceAmount = 'all'): Report<'check'> {
  if (amount === 'all') return report;
  const shown = new Set<number>();
  const findings = report.findings.map((finding) => {
    const isFirst = !shown.has(finding.result);
    shown.add(finding.result);
    if (amount === 'first' && isFirst) return finding;
    const members = Object.entries(finding).filter(([name]) => !OF_TRACES.has(name));
    return Object.fromEntries(members) as unknown as ReportedFinding;
  });
  return { ...report, findings };
}

const OF_TRACES: ReadonlySet<string> = new Set(['trace', 'standing']);

function schedulesOf({ verbose }: Options): 'folded' | 'hidden' {
  return verbose === true ? 'folded' : 'hidden';
}

/** The certificate has the program, its parameters and the method of proof. */
async function verify(
  name: string,
  files: readonly string[],
  options: Options,
  targets: readonly Target[],
  host: Host,
): Promise<ExitCode> {
  if (files.length > 1) throw new InputError('--verify takes one program');
  const { report, exitCode } = await repeatProof(
    name,
    files[0],
    readCheckOptions(options, true),
    host,
  );
  if (report !== null) await writeReport(report, targets, host, schedulesOf(options));
  return exitCode;
}

export const checkVerb: Verb = (command, host, done) => {
  addLaunchOptions(command);
  addBlockOption(command);
  addInferenceOptions(command);
  addProgramOptions(command);
  addReporterOptions(command);
  addMethodOptions(command);
  addScheduleOptions(command);
  command
    .option('--results <FOLDER>', 'keep results here; only what has changed is checked again')
    .addOption(
      new Option(
        '--workers <N>',
        'run checks in N threads (default with --results: one for each core)',
      ).conflicts('farm'),
    )
    .option('--shard <i/n>', 'run only the i-th of n parts, for `poundlock merge`')
    .option('--farm <URL>', 'run checks on the workers of a farm: redis:// or postgres://')
    .option('--job-limit <TIME>', 'end a job as inconclusive after this time (with --farm: 10m)')
    .addOption(
      new Option('--trace <WHICH>', 'findings that keep their schedules in --json').choices(TRACES),
    )
    .option('--verbose', 'show the schedule of every finding as a space-time table')
    .option('--watch', 'check again whenever a file or an import of it changes')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: Options) =>
      done(await runOrWatch(files, options, host)),
    );
};

function addProgramOptions(command: Command): void {
  command
    .argument(
      '[FILE...]',
      'modules whose default export is a kernel, PTX, launch files, or folders of these',
    )
    .addOption(repeatable('--set <name=value>', 'set a parameter (repeatable)'))
    .addOption(
      repeatable('--sweep <name=a..b>', 'check each of a..b, a..b..step or x,y,z (repeatable)'),
    )
    .option('--cases <FILE.csv>', 'check each row; a snake_case header names camelCase parameters');
}

/** How it is checked, and the bounds of that. */
function addMethodOptions(command: Command): void {
  command
    .addOption(new Option('--engine <NAME>', 'how to check').choices(ENGINES).default('auto'))
    .addOption(
      new Option('--every <NAME>', 'prove every value of a parameter that is only used as a count')
        .argParser(oneEvery)
        .conflicts(['replay', 'example']),
    )
    .addOption(
      new Option(
        '--sizes <WHICH>',
        'check also the sizes around the requested one, or that one only (default: ' +
          '"around"; "requested" with --sweep, --cases and --engine)',
      )
        .choices(SIZES)
        .conflicts(['every', 'replay', 'example']),
    )
    .addOption(
      new Option(
        '--memory <PROFILE>',
        'rules of proxies, scopes and fences: none, those that no working kernel breaks, or all ' +
          'of the ISA (default: "practice" for kernels whose threads and asynchronous work ' +
          'share memory, or with a fence or a scope, else "none")',
      ).choices(MEMORY_PROFILES),
    )
    .addOption(
      repeatable('--deny <RULE>', 'make the warnings of a rule errors (repeatable): exit code 1'),
    )
    .addOption(acceptOption())
    .option('--max-events <N>', 'abandon the certificate after this many events, and search')
    .option('--max-states <N>', 'stop as inconclusive after this many states')
    .option(
      '--shrink-tries <N>',
      `smaller sizes to try for a finding (default: ${DEFAULT_SHRINK_TRIES}; 0 for several checks)`,
    )
    .option(
      '--timeout <TIME>',
      'stop as inconclusive after 30, 30s, 500ms or 2m per result (default: 10m, and for a ' +
        'search after a certificate that failed 2s, or 4 times what that took)',
    );
}

/** A schedule that is wanted, and what is written beside the report. */
function addScheduleOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--replay <TOKEN>',
        'show the schedule of a finding step by step, with the changes of each step',
      ).conflicts('example'),
    )
    .option('--example', 'show a shortest schedule that ends without an error')
    .addOption(
      new Option('--certificate <FILE>', 'write a certificate of the proof to a file').conflicts([
        'replay',
        'example',
      ]),
    )
    .option('--steps <FILE.jsonl>', 'write what the warps of a PTX kernel do to a steps file')
    .option(
      '--delays <FILE.ptx>',
      'write the PTX with sleeps that make the schedule likely on a GPU',
    )
    .option('--delay <NS>', 'with --delays: how long a sleep is', DEFAULT_DELAY)
    .addOption(
      new Option('--verify <FILE>', 'repeat the proof of a certificate').conflicts(CHECK_OPTIONS),
    )
    .option('--link', 'print a link that opens the program and the finding in the playground');
}
