// `poundlock check`: can any interleaving deadlock, race, leak or misuse a stage?
import { Option } from 'commander';
import type { Host } from '../host.ts';
import { CheckSession, type Asked } from '../check-files.ts';
import type { ExitCode } from '../exit-code.ts';
import { InputError } from '../../base/index.ts';
import { readCount, readJobs, readTime } from '../options/amount.ts';
import { readCases } from '../options/cases.ts';
import { readTargets, type Target } from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { readSweeps } from '../options/sweep.ts';
import { REPORTERS, type CheckReport, type Surroundings } from '../../report/index.ts';
import { paintFor, sourceReader } from '../surroundings.ts';
import { version } from '../version.ts';
import { mustBeWritable, writeAtomically } from '../write-file.ts';
import { STRATEGIES, type StrategyName } from '../../check/index.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly set?: readonly string[];
  readonly sweep?: readonly string[];
  readonly cases?: string;
  readonly json?: true;
  readonly reporter?: readonly string[];
  readonly engine: 'auto' | 'certify' | 'reduced' | 'search';
  readonly strategy?: StrategyName;
  readonly seed?: string;
  readonly jobs?: string;
  readonly maxEvents?: string;
  readonly maxStates?: string;
  readonly timeout?: string;
  readonly replay?: string;
  readonly example?: true;
  readonly verbose?: true;
}

const REPORTER_NAMES = REPORTERS.map((reporter) => reporter.name).join(', ');

const EXAMPLES = `
Examples:
  poundlock check gemm.ts                            every interleaving of one kernel
  poundlock check gemm.ts --set stages=4             with another parameter
  poundlock check gemm.ts --sweep stages=1..8        once for each of 1, 2 … 8
  poundlock check gemm.ts --cases sizes.csv --json   once per row, as one JSON document
  poundlock check *.ts --reporter terminal --reporter json=out.json
  poundlock check *.ts --reporter github --reporter sarif=out.sarif

Exit code: 0 certified, 1 counterexample, 2 could not run, 3 inconclusive;
of several results 2 > 1 > 3 > 0`;

function asked(options: Options): Asked {
  const { engine, strategy, seed, jobs } = options;
  const { maxEvents, maxStates, timeout, replay, example } = options;
  return {
    engine,
    ...(strategy !== undefined && { strategy }),
    ...(seed !== undefined && { seed: readCount('--seed', seed) }),
    ...(jobs !== undefined && { jobs: readJobs(jobs) }),
    ...(maxEvents !== undefined && { maxEvents: readCount('--max-events', maxEvents) }),
    ...(maxStates !== undefined && { maxStates: readCount('--max-states', maxStates) }),
    ...(timeout !== undefined && { timeoutMs: readTime('--timeout', timeout) }),
    ...(replay !== undefined && { replay }),
    ...(example !== undefined && { example }),
  };
}

function render(
  report: CheckReport,
  targets: readonly Target[],
  host: Host,
  schedules: Surroundings['schedules'],
) {
  const outside = { sourceLine: sourceReader(host.cwd), schedules, version: version() };
  for (const { reporter, file } of targets) {
    const paint = paintFor(file === undefined ? host.stdout : undefined, host.env);
    const text = reporter.render(report, { ...outside, paint });
    if (file === undefined) host.stdout.write(text);
    else writeAtomically(file, host.cwd, text);
  }
}

async function run(files: readonly string[], options: Options, host: Host): Promise<ExitCode> {
  const targets = readTargets(options.reporter ?? [], options.json === true);
  for (const { file } of targets) if (file !== undefined) mustBeWritable(file, host.cwd);
  const cases = options.cases === undefined ? undefined : readCases(options.cases, host.cwd);
  const request = {
    sets: readSets(options.set ?? []),
    sweeps: readSweeps(options.sweep ?? []),
    cases,
  };
  const many = files.length > 1 || request.sweeps.length > 0 || cases !== undefined;
  if (options.replay !== undefined && many) {
    throw new InputError('--replay is for one file and one set of parameters');
  }
  const session = new CheckSession(host, { files, request, asked: asked(options) });
  const report = await session.run();
  const shown = options.verbose === true ? 'folded' : 'hidden';
  render(report, targets, host, options.replay === undefined ? shown : 'whole');
  return session.exitCode;
}

function repeatable(flags: string, description: string): Option {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  return new Option(flags, description).argParser(collect);
}

export const checkVerb: Verb = (program, host, done) => {
  program
    .command('check')
    .description('find every deadlock, race and misuse of a stage, or certify that there is none')
    .argument('<FILE...>', 'program texts: modules whose default export is a kernel')
    .addOption(repeatable('--set <name=value>', 'set a parameter (repeatable)'))
    .addOption(
      repeatable('--sweep <name=a..b>', 'check each of a..b, a..b..step or x,y,z (repeatable)'),
    )
    .option('--cases <FILE.csv>', 'check each row; a snake_case header names camelCase parameters')
    .addOption(
      repeatable('--reporter <NAME[=FILE]>', `${REPORTER_NAMES}: to stdout or a file (repeatable)`),
    )
    .option('--json', 'the same as --reporter json')
    .addOption(
      new Option('--engine <NAME>', 'how to check')
        .choices(['auto', 'certify', 'reduced', 'search'])
        .default('auto'),
    )
    .addOption(
      new Option('--strategy <NAME>', 'search without reduction, in this order')
        .choices(Object.keys(STRATEGIES))
        .conflicts(['example', 'replay']),
    )
    .option('--seed <N>', 'what --strategy random draws by')
    .option('--jobs <N>', 'search without reduction in N threads')
    .option('--max-events <N>', 'end a certificate after this many events, and search')
    .option('--max-states <N>', 'give up as inconclusive after this many states')
    .option('--timeout <TIME>', 'give up as inconclusive after 30, 30s, 500ms or 2m per result')
    .addOption(
      new Option(
        '--replay <TOKEN>',
        'show the schedule that a finding names, step by step, with what each step changes',
      ).conflicts('example'),
    )
    .option('--example', 'show a shortest schedule that ends well')
    .option(
      '--verbose',
      'show the schedule of every finding as a space-time table, and what a verdict assumes',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], options: Options) => done(await run(files, options, host)));
};
