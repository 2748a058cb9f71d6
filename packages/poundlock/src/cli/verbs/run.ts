// `poundlock run`: runs a kernel on worker threads, one for each role.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { POLICY_NAMES, type PolicyName } from '@poundlock/ring';
import { InputError, moduleBeside } from '@poundlock/core/internal/base';
import { check } from '../../check/index.ts';
import { reportOf, type ReportedRun } from '@poundlock/core/internal/finding';
import { DEFAULT_MAX_RECORDS, run, SAMPLE_RECORDS } from '../../run/index.ts';
import type { RunOptions, RunResult } from '../../run/index.ts';
import { attempt, type Attempt } from '../attempt.ts';
import { ExitCode } from '../exit-code.ts';
import { fileName, fileNamer, type Host } from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { isPtx, isSteps } from '../load-ptx.ts';
import { readCount, readTime } from '../options/amount.ts';
import {
  addReporterOptions,
  writableTargets,
  writeReport,
  type ReporterOptions,
} from '../options/reporters.ts';
import { readSets } from '../options/set.ts';
import { planRuns } from '../plan.ts';
import { presentFindings } from '../present.ts';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';

interface Options extends ReporterOptions {
  readonly set?: readonly string[];
  readonly conform?: boolean;
  readonly policy: PolicyName;
  readonly timeout?: string;
  readonly seed?: string;
  readonly maxRecords?: string;
  readonly verbose?: boolean;
}

const EXAMPLES = `
Examples:
  poundlock run pipeline.ts --set tiles=100000
  poundlock run pipeline.ts --conform --policy wait
  poundlock run pipeline.ts --reporter terminal --reporter sarif=run.sarif

Exit code: 0 ran, 1 findings, 2 could not run or a role failed, 3 stopped by a bound`;

const PRELOAD = moduleBeside('../own-package-preload', import.meta.url).href;

async function runFile(file: string, options: Options, host: Host): Promise<ExitCode> {
  const { timeout, seed, maxRecords, policy, conform = false } = options;
  if (
    maxRecords !== undefined &&
    !conform &&
    readCount('--max-records', maxRecords) > SAMPLE_RECORDS
  )
    throw new InputError(`--max-records above ${SAMPLE_RECORDS} has no effect without --conform`);
  const targets = writableTargets(options, host);
  const requested = {
    policy,
    conform,
    ...(timeout !== undefined && { timeoutMs: readTime('--timeout', timeout) }),
    ...(seed !== undefined && { seed: readCount('--seed', seed) }),
    ...(maxRecords !== undefined && { maxRecords: readCount('--max-records', maxRecords) }),
  };
  const sets = readSets(options.set ?? []);
  const work = () => perform(file, requested, sets, host);
  const { report, code } = await attempt('run', file, host, work, requested.timeoutMs);
  await writeReport(report, targets, host, options.verbose === true ? 'folded' : 'hidden');
  return code;
}

async function perform(
  file: string,
  requested: RunOptions,
  sets: ReadonlyMap<string, string>,
  host: Host,
): Promise<Attempt<'run'>> {
  if (isPtx(file) || isSteps(file))
    throw new InputError('PTX runs on its GPU: run takes programs, check takes both');
  const kernel = await loadKernel(file, host);
  const [params] = planRuns(kernel, { sets, sweeps: [] });
  const controller = new AbortController();
  const stop = host.onInterrupt(() => controller.abort());
  const module = pathToFileURL(resolve(host.cwd, file)).href;
  const { signal } = controller;
  const fixed = { module, preload: [PRELOAD], signal };
  const found = await run(kernel, params!, { ...requested, ...fixed });
  stop();
  const name = fileNamer(file, host.cwd);
  const findings = presentFindings(found.findings, file, params!.needed(), name);
  const certified = requested.conform === true ? await certify(found) : null;
  const shown = fileName(file, host.cwd);
  const result: ReportedRun = { verb: 'run', file: shown, ...factsOf(found), certified };
  return { report: reportOf('run', version(), [{ result, findings }]), code: exitCode(found) };
}

/** A run without its findings and its recorded kernel. */
function factsOf({ findings: _findings, recorded: _recorded, ...facts }: RunResult) {
  return facts;
}

/** Whether all orders of the recorded operations are certified; `null` without a record. */
async function certify({ recorded, findings }: RunResult): Promise<boolean | null> {
  if (recorded === null || findings.some(({ severity }) => severity === 'error')) return null;
  const { verdict } = await check(recorded, { engine: 'certify' });
  return verdict === 'certified';
}

/** A trace that is no path of the machine is a bug, of the program or of poundlock. */
function exitCode({ findings, conforms, reason }: RunResult): ExitCode {
  if (findings.some(({ severity }) => severity === 'error')) return ExitCode.findings;
  if (conforms === false) return ExitCode.findings;
  return reason === undefined ? ExitCode.clean : ExitCode.inconclusive;
}

export const runVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  command
    .argument('<FILE>', 'program file: a module whose default export is a kernel')
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect));
  addReporterOptions(command)
    .option('--conform', 'record every operation, not only the first of each role')
    .addOption(
      new Option('--policy <NAME>', 'wait policy').choices([...POLICY_NAMES]).default('auto'),
    )
    .option('--timeout <TIME>', 'stop as inconclusive after 30, 30s, 500ms or 2m (default: 10m)')
    .option('--seed <N>', 'the seed of choose()')
    .option(
      '--max-records <N>',
      `the maximum number of operations to record per role (default: ${DEFAULT_MAX_RECORDS})`,
    )
    .option('--verbose', 'show the schedule of every finding')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await runFile(file, options, host)));
};
