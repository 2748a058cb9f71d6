// Runs jobs on this machine: what the results folder has is not run again, Ctrl-C keeps the rest.
import type { Host } from '@poundlock/core/internal/host';
import { JobPool, MAX_TRIES, type PooledJob } from './pool.ts';
import { isTimed, parseResult, type ResultDocument } from './outcome.ts';
import type { ResultsFolder } from './results-folder.ts';

/** How jobs are run, and where their results are kept. */
export interface RunOptions {
  readonly host: Host;
  readonly threads: number;
  /** `null` keeps no results. */
  readonly results: ResultsFolder | null;
  /** The address of a farm, whose workers run the jobs instead of threads. */
  readonly farm?: string | undefined;
  /** How long a job may run on its thread. */
  readonly limitMs?: number | undefined;
  /** Called after each job. */
  readonly onProgress: (done: number, all: number) => void;
}

/** What came of some jobs. */
export interface RunJobs {
  readonly documents: ReadonlyMap<string, ResultDocument>;
  /** How many were there before, and were not run. */
  readonly known: number;
  /** Whether Ctrl-C ended it before all were done. */
  readonly isInterrupted: boolean;
}

/** The document of a job whose thread died, on every try: it is not kept, so that it runs again. */
export function failedDocument({ hash, job }: PooledJob, error: Error): ResultDocument {
  const isBound = error.message.startsWith('the bound ');
  const failed = {
    error: error.message,
    isCrash: true as const,
    ...(isBound && { isBound: true as const }),
  };
  return { schema: 'poundlock/result@1', hash, job, outcome: { failed }, elapsedMs: 0 };
}

/** Jobs by their hash, each once, without those that have a result. */
export function missingJobs(
  jobs: readonly PooledJob[],
  results: ResultsFolder | null,
  documents: Map<string, ResultDocument>,
): PooledJob[] {
  const distinct = new Map(jobs.map((job) => [job.hash, job]));
  return [...distinct.values()].filter(({ hash }) => {
    const known = results?.read(hash) ?? null;
    if (known !== null) documents.set(hash, known);
    return known === null;
  });
}

/** Runs jobs in threads, or in a farm. */
export async function runJobs(jobs: readonly PooledJob[], options: RunOptions): Promise<RunJobs> {
  const { farm, limitMs } = options;
  const limited = limitMs === undefined ? jobs : jobs.map((job) => ({ ...job, limitMs }));
  if (farm === undefined) return runInThreads(limited, options);
  const { runInFarm } = await import('../farm/run-in-farm.ts');
  return runInFarm(limited, { ...options, farm });
}

async function runInThreads(
  jobs: readonly PooledJob[],
  { host, threads, results, onProgress }: RunOptions,
): Promise<RunJobs> {
  const documents = new Map<string, ResultDocument>();
  results?.create();
  const missing = missingJobs(jobs, results, documents);
  const known = documents.size;
  const all = known + missing.length;
  const most = Math.min(threads, missing.length);
  const isInterrupted = await streamInThreads(missing, { host, threads: most, results }, (one) => {
    documents.set(one.hash, one);
    onProgress(documents.size, all);
  });
  return { documents, known, isInterrupted };
}

/** Where jobs run, and how often one whose thread dies. */
export interface StreamOptions extends Pick<RunOptions, 'host' | 'threads' | 'results'> {
  readonly maxTries?: number;
}

/**
 * Runs jobs as they come, each when a thread is free, and keeps their results. What fails in its
 * thread is a document, too, and not kept. Says whether Ctrl-C ended it.
 */
export async function streamInThreads(
  jobs: Iterable<PooledJob>,
  { host, threads, results, maxTries = MAX_TRIES }: StreamOptions,
  onDocument: (document: ResultDocument, job: PooledJob) => void,
): Promise<boolean> {
  const pool = new JobPool({ threads, now: host.now, maxTries });
  const state = { isInterrupted: false };
  const stop = host.onInterrupt(() => {
    state.isInterrupted = true;
    void pool.close();
  });
  const left = jobs[Symbol.iterator]();
  const runOne = async (pooled: PooledJob): Promise<void> => {
    let document: ResultDocument;
    try {
      const text = await pool.run(pooled);
      document = parseResult(text);
      if (!isTimed(document)) results?.write(pooled.hash, text);
    } catch (error) {
      if (state.isInterrupted) return;
      document = failedDocument(pooled, error as Error);
    }
    onDocument(document, pooled);
  };
  const lane = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await runOne(next.value);
      if (state.isInterrupted) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, () => lane()));
  } finally {
    stop();
    await pool.close();
  }
  return state.isInterrupted;
}
