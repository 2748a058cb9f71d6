// `check` with --results, --workers or --shard: its checks are jobs.
import { InputError } from '@poundlock/core/internal/base';
import { Progress, type Host } from '@poundlock/core/internal/host';
import type { Report } from '@poundlock/core/internal/finding';
import { counted } from '../../report/index.ts';
import type { ExitCode } from '../exit-code.ts';
import { readJobLimit, readShard, readWorkers } from '../options/workers.ts';
import { corpusReport, planCorpus, type Corpus } from './corpus.ts';
import { ofShard, planHash } from './plan.ts';
import { ResultsFolder } from './results-folder.ts';
import { runJobs } from './run-jobs.ts';

/** The options that make jobs of checks. */
export interface CheckJobWords {
  readonly results?: string;
  readonly workers?: string;
  readonly shard?: string;
  readonly farm?: string;
  readonly jobLimit?: string;
}

/** Whether checks are jobs. */
export function wantsJobs({ results, workers, shard, farm, jobLimit }: CheckJobWords): boolean {
  return [results, workers, shard, farm, jobLimit].some((word) => word !== undefined);
}

/** Runs the checks of a corpus in threads. Of a shard there is no report, but a line. */
export async function checkAsJobs(
  corpus: Corpus,
  words: CheckJobWords,
  host: Host,
): Promise<{ readonly report: Report<'check'> | null; readonly code: ExitCode }> {
  const threads = readWorkers(words.workers);
  const shard = readShard(words.shard);
  const results = words.results === undefined ? null : new ResultsFolder(words.results, host.cwd);
  if (shard !== null && results === null)
    throw new InputError('--shard needs --results FOLDER, which `poundlock merge` puts together');
  const { plan, jobs } = await planCorpus(corpus, host);
  results?.create();
  results?.writePlan(plan, planHash(plan));
  const chosen = shard === null ? jobs : ofShard(jobs, shard);
  const progress = new Progress(host);
  const onProgress = (done: number, all: number): void => {
    progress.update('checking', [{ done, all, unit: 'job' }]);
  };
  const { documents, known } = await runJobs(chosen, {
    host,
    threads,
    results,
    farm: words.farm,
    limitMs: readJobLimit(words.jobLimit),
    onProgress,
  });
  progress.clear();
  const ofPart = shard === null ? plan : { ...plan, checks: ofChecks(plan.checks, documents) };
  const { report, code } = corpusReport(ofPart, documents, host.cwd);
  if (known > 0) host.stderr.write(`${counted(known, 'result')} already there\n`);
  if (shard === null) return { report, code };
  host.stdout.write(
    `${documents.size} of ${counted(chosen.length, 'job')} of this part are done\n`,
  );
  return { report: null, code };
}

/** The checks of a part; those without a job belong to every part. */
function ofChecks<T extends object>(
  checks: readonly T[],
  documents: ReadonlyMap<string, unknown>,
): T[] {
  return checks.filter((check) => !('job' in check) || documents.has(String(check.job)));
}
