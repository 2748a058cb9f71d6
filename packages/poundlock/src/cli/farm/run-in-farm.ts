// Runs jobs on the workers of a farm; their results are written as those of this machine.
import type { FarmJob, FarmResult } from '@poundlock/farm';
import { canonicalJson } from '../jobs/job.ts';
import { isTimed, parseResult, type ResultDocument } from '../jobs/outcome.ts';
import type { PooledJob } from '../jobs/pool.ts';
import { failedDocument, missingJobs, type RunJobs, type RunOptions } from '../jobs/run-jobs.ts';
import { openFarm } from './open-farm.ts';

/** How long a job may run on a farm, which others use, too; unless it says otherwise. */
const LIMIT_MS = 600_000;

/** A job as it travels. */
function farmJob({ hash, job, program, limitMs = LIMIT_MS }: PooledJob): FarmJob {
  const isCode = program.text.kind === 'module';
  return { id: hash, body: canonicalJson(job), program: program.sha256, isCode, limitMs };
}

/** Adds jobs and waits for their results; after Ctrl-C the farm goes on, and nothing is lost. */
export async function runInFarm(
  jobs: readonly PooledJob[],
  { host, results, onProgress, farm: url }: RunOptions & { readonly farm: string },
): Promise<RunJobs> {
  const documents = new Map<string, ResultDocument>();
  results?.create();
  const missing = new Map(missingJobs(jobs, results, documents).map((job) => [job.hash, job]));
  const known = documents.size;
  const all = known + missing.size;
  const farm = await openFarm(url);
  let isInterrupted = false;
  const stop = host.onInterrupt(() => void (isInterrupted = true));
  try {
    const programs = new Map([...missing.values()].map(({ program }) => [program.sha256, program]));
    const texts = [...programs].map(([sha256, program]) => {
      return { sha256, body: JSON.stringify(program) };
    });
    const added = [...missing.values()].map(farmJob);
    await farm.add(texts, added);
    await warn(farm, host);
    const onResult = (result: FarmResult): void => {
      const { document, text } = documentOf(result, missing.get(result.id)!);
      if (text !== null && !isTimed(document)) results?.write(result.id, text);
      documents.set(result.id, document);
      onProgress(documents.size, all);
    };
    await farm.collect(added, onResult, () => isInterrupted);
  } finally {
    stop();
    await farm.close();
  }
  return { documents, known, isInterrupted };
}

/** Says what lacks where no worker can take the jobs. */
async function warn(
  farm: Awaited<ReturnType<typeof openFarm>>,
  { stderr }: RunOptions['host'],
): Promise<void> {
  const { workers, waitingForTrust } = await farm.status();
  if (workers.length === 0) {
    stderr.write('poundlock: no worker of this version yet: start `poundlock worker --farm URL`\n');
  } else if (waitingForTrust > 0) {
    stderr.write('poundlock: no worker runs programs: start one with --trust-programs\n');
  }
}

/** A result with its text as a worker wrote it; what is of another job is a failure without one. */
function documentOf(
  result: FarmResult,
  pooled: PooledJob,
): { readonly document: ResultDocument; readonly text: string | null } {
  if ('failure' in result)
    return { document: failedDocument(pooled, new Error(result.failure)), text: null };
  const { result: text } = result;
  const document = parseResult(text);
  if (document.hash === pooled.hash) return { document, text };
  const error = new Error('a worker sent the result of another job');
  return { document: failedDocument(pooled, error), text: null };
}
