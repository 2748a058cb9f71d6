// `poundlock run`: a kernel on real threads, one for each role.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Option } from 'commander';
import { POLICY_NAMES, type PolicyName } from '@poundlock/ring';
import { moduleBeside } from '@poundlock/core/internal/base';
import { check } from '../../check/index.ts';
import { runAsJson, runAsText, type ShownRun } from '../../report/index.ts';
import { DEFAULT_MAX_RECORDS, run, type RunResult } from '../../run/index.ts';
import { ExitCode } from '../exit-code.ts';
import {
  asInputError,
  failureLines,
  fileName,
  fileNamer,
  type Host,
} from '@poundlock/core/internal/host';
import { loadKernel } from '../load-kernel.ts';
import { readCount, readTime } from '../options/amount.ts';
import { readSets } from '../options/set.ts';
import { neededOverrides, planRuns } from '../plan.ts';
import { publishFindings } from '../present.ts';
import { readRulePage } from '../rule-pages.ts';
import { paintFor, sourceReader } from '../reporter-environment.ts';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly set?: readonly string[];
  readonly json?: boolean;
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

Exit code: 0 ran, 1 findings, 2 could not run or a role failed, 3 stopped by a bound`;

const PRELOAD = moduleBeside('../own-package-preload', import.meta.url).href;

async function runFile(file: string, options: Options, host: Host): Promise<ExitCode> {
  const { timeout, seed, maxRecords, policy, conform = false } = options;
  const bounds = {
    ...(timeout !== undefined && { timeoutMs: readTime('--timeout', timeout) }),
    ...(seed !== undefined && { seed: readCount('--seed', seed) }),
    ...(maxRecords !== undefined && { maxRecords: readCount('--max-records', maxRecords) }),
  };
  const sets = readSets(options.set ?? []);
  try {
    const kernel = await loadKernel(file, host);
    const [planned] = planRuns(kernel, { sets, sweeps: [] });
    const { overrides } = planned!;
    const controller = new AbortController();
    const stop = host.onInterrupt(() => controller.abort());
    const module = pathToFileURL(resolve(host.cwd, file)).href;
    const asked = { module, policy, conform, preload: [PRELOAD], signal: controller.signal };
    const found = await run(kernel, overrides, { ...asked, ...bounds });
    stop();
    const needed = neededOverrides(kernel, planned!);
    const findings = publishFindings(found.findings, file, needed, fileNamer(file, host.cwd));
    const certified = conform ? await certify(found) : null;
    show({ ...found, findings, certified }, options, host);
    return exitCode(found);
  } catch (error) {
    if (asInputError(error) === undefined) throw error;
    host.stderr.write(failureLines(error, host, fileName(file, host.cwd)));
    return ExitCode.couldNotRun;
  }
}

/** Whether no order of what the roles did goes wrong; `null` where nobody can ask. */
async function certify({ recorded, findings }: RunResult): Promise<boolean | null> {
  if (recorded === null || findings.some(({ severity }) => severity === 'error')) return null;
  const { verdict } = await check(recorded, { engine: 'certify' });
  return verdict === 'certified';
}

function show(result: ShownRun, { json = false, verbose = false }: Options, host: Host): void {
  const paint = paintFor(host.stdout, host.env);
  const sourceLine = sourceReader(host.cwd);
  const schedules = verbose ? 'folded' : 'hidden';
  const rulePage = readRulePage;
  const outside = { paint, sourceLine, schedules, rulePage, version: version() } as const;
  host.stdout.write(json ? runAsJson(result) : runAsText(result, outside));
}

/** A trace that is no path of the machine is a bug, of the program or of ours: never a success. */
function exitCode({ findings, conforms, reason }: RunResult): ExitCode {
  if (findings.some(({ severity }) => severity === 'error')) return ExitCode.findings;
  if (conforms === false) return ExitCode.findings;
  return reason === undefined ? ExitCode.clean : ExitCode.inconclusive;
}

export const runVerb: Verb = (command, host, done) => {
  const collect = (text: string, before: readonly string[] = []) => [...before, text];
  command
    .argument('<FILE>', 'program text: a module whose default export is a kernel')
    .addOption(new Option('--set <name=value>', 'set a parameter (repeatable)').argParser(collect))
    .option('--json', 'one JSON document instead of text')
    .option('--conform', 'record every operation, not only the first of each role')
    .addOption(
      new Option('--policy <NAME>', 'how to wait').choices([...POLICY_NAMES]).default('auto'),
    )
    .option('--timeout <TIME>', 'stop as inconclusive after 30, 30s, 500ms or 2m (default: 10m)')
    .option('--seed <N>', 'for choose()')
    .option(
      '--max-records <N>',
      `the most operations of a role to record (default: ${DEFAULT_MAX_RECORDS})`,
    )
    .option('--verbose', 'show the schedule of every finding')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: Options) => done(await runFile(file, options, host)));
};
