// Runs the chunks of a plan until they end, the time does, or the checker is known to be wrong.
import type { Host } from '@poundlock/core/internal/host';
import { InputError } from '@poundlock/core/internal/base';
import type { Chunk, ChunkResult, Disagreement } from '@poundlock/fuzz';
import type { JobProgram } from '../jobs/job.ts';
import type { Outcome, ResultDocument } from '../jobs/outcome.ts';
import type { FuzzPlan, Shard } from '../jobs/plan.ts';
import type { PooledJob } from '../jobs/pool.ts';
import type { ResultsFolder } from '../jobs/results-folder.ts';
import { runJobs, streamInThreads } from '../jobs/run-jobs.ts';
import { chunksOf, fuzzJob, halvesOf, ofPart } from './chunks.ts';
import { openFuzz } from './open-fuzz.ts';

/** Chunks that are sent to a farm together, for each of its threads. */
const CHUNKS_A_THREAD = 4;
const LEAST_CHUNKS = 8;

/** Where chunks run, and when they end. */
export interface FuzzRun {
  readonly host: Host;
  readonly plan: FuzzPlan;
  readonly program: JobProgram;
  readonly shard: Shard | null;
  readonly threads: number;
  readonly results: ResultsFolder | null;
  readonly farm: string | undefined;
  readonly isOver: () => boolean;
  readonly onResult: (result: ChunkResult, isKnown: boolean) => void;
  readonly onDisagreement: (disagreement: Disagreement) => void;
}

/** Whether Ctrl-C ended it. */
export async function runFuzz(run: FuzzRun): Promise<boolean> {
  // What is left of chunks that ended their threads comes before other chunks.
  const again: Chunk[] = [];
  const failures: Promise<void>[] = [];
  const onDocument = (document: ResultDocument, chunk: Chunk, isKnown: boolean): void => {
    const { outcome } = document as { outcome: Outcome<'fuzz'> };
    if ('ok' in outcome) {
      for (const each of outcome.ok.disagreements) run.onDisagreement(each);
      run.onResult(outcome.ok, isKnown);
    } else if (outcome.failed.isCrash !== true) throw new InputError(outcome.failed.error);
    else {
      const halves = halvesOf(chunk, run.plan.chunk);
      again.push(...halves);
      if (halves.length === 0) failures.push(report(chunk, outcome.failed.error, run));
    }
  };
  const jobs = jobsOf(run, again, onDocument);
  const isInterrupted =
    run.farm === undefined
      ? await streamInThreads(jobs, { ...run, maxTries: 1 }, (document, job) => {
          onDocument(document, job.job.options as Chunk, false);
        })
      : await streamInFarm(jobs, run, run.farm, onDocument);
  await Promise.all(failures);
  return isInterrupted;
}

type OnDocument = (document: ResultDocument, chunk: Chunk, isKnown: boolean) => void;

/** The jobs that have no result yet; results that are there are counted at once. */
function* jobsOf(
  { plan, program, shard, results, isOver }: FuzzRun,
  again: Chunk[],
  onDocument: OnDocument,
): Generator<PooledJob> {
  const all = ofPart(chunksOf(plan), shard);
  while (!isOver()) {
    const left = again.shift();
    const next = left === undefined ? all.next() : { value: left, done: false as const };
    if (next.done === true) return;
    const job = fuzzJob(next.value, program);
    const known = results?.read(job.hash) ?? null;
    if (known === null) yield job;
    else onDocument(known, next.value, true);
  }
}

/** The program that ends its thread is a disagreement by itself. */
async function report(chunk: Chunk, error: string, { onDisagreement }: FuzzRun): Promise<void> {
  const { asDisagreement, drawChunk } = await openFuzz();
  const [drawn] = drawChunk(chunk);
  if (drawn === undefined) return;
  const { kind, seed, at, program } = drawn;
  onDisagreement({ ...asDisagreement(kind, error, program), seed, at });
}

function upTo<T>(most: number, all: Iterator<T>): T[] {
  const taken: T[] = [];
  for (let next = all.next(); next.done !== true; next = all.next()) {
    taken.push(next.value);
    if (taken.length === most) break;
  }
  return taken;
}

/** Sends so many chunks at a time as the workers need. */
async function streamInFarm(
  jobs: Generator<PooledJob>,
  { host, results }: FuzzRun,
  farm: string,
  onDocument: OnDocument,
): Promise<boolean> {
  const { farmThreads } = await import('../farm/run-in-farm.ts');
  for (;;) {
    const most = Math.max(LEAST_CHUNKS, CHUNKS_A_THREAD * (await farmThreads(farm)));
    const batch = upTo(most, jobs);
    if (batch.length === 0) return false;
    const options = { host, threads: 0, results, farm, onProgress: () => undefined };
    const { documents, isInterrupted } = await runJobs(batch, options);
    for (const { hash, job } of batch) {
      const document = documents.get(hash);
      if (document !== undefined) onDocument(document, job.options as Chunk, false);
    }
    if (isInterrupted) return true;
  }
}
