// Many files as jobs of `check`: what is planned, and the report that their results make.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '@poundlock/core/internal/base';
import { asInputError, failureLines, fileName, type Host } from '@poundlock/core/internal/host';
import {
  reportOf,
  type Parameters,
  type Report,
  type ResultWithFindings,
} from '@poundlock/core/internal/finding';
import { failureOf } from '../attempt.ts';
import { ExitCode, exitCodeOf, worst } from '../exit-code.ts';
import { isPtx } from '../load-ptx.ts';
import type { ChosenOptions } from '../options/check-options.ts';
import { planRuns, type Request } from '../plan.ts';
import { present } from '../present.ts';
import { textsOf } from '../texts.ts';
import { version } from '../version.ts';
import { withNames } from './execute.ts';
import { jobHash, type CheckJobOptions, type Job } from './job.ts';
import type { OutcomeOf, ResultDocument } from './outcome.ts';
import { engineVersion } from './own-code.ts';
import { PLAN_SCHEMA, type CheckPlan, type PlannedCheck } from './plan.ts';
import type { PooledJob } from './pool.ts';
import { loadProgram, readPtxProgram, type ReadProgram } from './read-program.ts';

/** Many files, and how each of them is checked. */
export interface Corpus {
  readonly files: readonly string[];
  readonly request: Request;
  readonly chosen: ChosenOptions;
}

/** The checks of a corpus, in order, and their jobs. */
export interface PlannedCorpus {
  readonly plan: CheckPlan;
  readonly jobs: readonly PooledJob[];
}

/** Options that decide how one result is shown. */
const NO_JOB = ['replay', 'example'] as const;

/** Reads every file; one that cannot be read is a row of the table with the reason. */
export async function planCorpus(corpus: Corpus, host: Host): Promise<PlannedCorpus> {
  const { files, request, chosen } = corpus;
  for (const name of NO_JOB) {
    if (chosen[name] === undefined) continue;
    throw new InputError(`--${name} is for one check: leave --results, --workers and --shard out`);
  }
  const jobs: PooledJob[] = [];
  const checks: PlannedCheck[] = [];
  for (const file of files) {
    const shown = fileName(file, host.cwd);
    try {
      const runs = await runsOf(file, request, chosen, host);
      const texts = textsOf(file, host.cwd);
      for (const { read, params, all } of runs) {
        const pooled = pooledOf(file, read, params, chosen, host);
        jobs.push(pooled);
        const folder = fileName(read.folder, host.cwd);
        checks.push({ file: shown, folder, params: all, texts, job: pooled.hash });
      }
    } catch (error) {
      const input = asInputError(error);
      if (input === undefined) throw error;
      host.stderr.write(failureLines(error, host, shown));
      const { error: why, at } = failureOf('check', shown, host.cwd, input);
      checks.push({ file: shown, error: why, ...(at !== undefined && { at }) });
    }
    await host.pause();
  }
  const swept = request.sweeps.map(({ name }) => name);
  const memory = chosen.memory ?? null;
  const engine = engineVersion();
  return { plan: { schema: PLAN_SCHEMA, kind: 'check', engine, swept, memory, checks }, jobs };
}

interface Run {
  readonly read: ReadProgram;
  /** Parameters that are set, and all that are known. */
  readonly params: Parameters;
  readonly all: Parameters;
}

/** A kernel as built with one set of parameters is not even parsed here: only its job does that. */
async function runsOf(
  file: string,
  request: Request,
  { timeoutMs }: ChosenOptions,
  host: Host,
): Promise<Run[]> {
  const { sets, sweeps, cases } = request;
  if (isPtx(resolve(host.cwd, file)) && sweeps.length === 0 && cases === undefined) {
    const params = Object.fromEntries(sets);
    return [{ read: await readPtxProgram(file, host), params, all: params }];
  }
  const read = await loadProgram(file, host, timeoutMs);
  return planRuns(read.kernel, request).map(({ set, values }) => {
    return { read, params: set, all: values };
  });
}

function pooledOf(
  file: string,
  { program }: ReadProgram,
  params: Parameters,
  { replay: _replay, example: _example, ...options }: ChosenOptions,
  host: Host,
): PooledJob {
  const job: Job<'check'> = {
    schema: 'poundlock/job@1',
    engine: engineVersion(),
    verb: 'check',
    program: program.sha256,
    params,
    options: options satisfies CheckJobOptions,
  };
  const path = resolve(host.cwd, file);
  // The text of a kernel as built is what was read; a module is loaded from its place.
  const isBuilt = program.text.kind === 'ptx';
  const source = isBuilt ? { program } : { path, sha256: program.sha256 };
  return { hash: jobHash(job), job, source, program };
}

/** The report of a corpus, and the worst exit code of its results. */
export function corpusReport(
  { checks, swept, memory }: CheckPlan,
  documents: ReadonlyMap<string, ResultDocument>,
  cwd: string,
): { readonly report: Report<'check'>; readonly code: ExitCode } {
  const codes: ExitCode[] = [];
  const results: ResultWithFindings<'check'>[] = [];
  let skipped = 0;
  for (const planned of checks) {
    if ('error' in planned) {
      codes.push(ExitCode.couldNotRun);
      results.push({ result: { verb: 'check', ...planned } });
      continue;
    }
    const outcome = documents.get(planned.job)?.outcome;
    if (outcome === undefined) skipped++;
    else if ('ok' in outcome) {
      const { result, findings } = shownOf(planned, outcome.ok as OutcomeOf['check'], memory, cwd);
      codes.push(exitCodeOf(result.verdict));
      results.push({ result, findings });
    } else {
      const { file, folder, params } = planned;
      const { error, at, verdict } = outcome.failed;
      const place = at === undefined ? {} : { at: { ...at, file: placed(at.file, folder, cwd) } };
      codes.push(exitCodeOf(verdict));
      const failure = { verb: 'check', file, params, ...place, error } as const;
      results.push({ result: verdict === undefined ? failure : { ...failure, verdict } });
    }
  }
  if (skipped > 0) codes.push(ExitCode.inconclusive);
  const report = reportOf('check', version(), results, { isBatch: true, swept, skipped });
  return { report, code: worst(codes) };
}

function shownOf(
  { file, folder, texts }: Extract<PlannedCheck, { job: string }>,
  { result, needed }: OutcomeOf['check'],
  memory: CheckPlan['memory'],
  cwd: string,
) {
  const named = withNames(result, (name) => placed(name, folder, cwd));
  const same = (name: string): string => name;
  const shown = present(named, file, needed, same, memory ?? undefined);
  const { findings, ...rest } = shown;
  return { result: { verb: 'check' as const, file, ...rest, texts }, findings };
}

/** A file of a program as seen from here; what is not there keeps the name that the program has. */
function placed(name: string, folder: string, cwd: string): string {
  const path = resolve(cwd, folder, name);
  const isThere = existsSync(path) || existsSync(dirname(path));
  return isThere ? fileName(path, cwd) : name;
}
