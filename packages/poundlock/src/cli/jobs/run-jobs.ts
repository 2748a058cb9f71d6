// Runs jobs on this machine: what the results folder has is not run again, Ctrl-C keeps the rest.
import type { Host } from '@poundlock/core/internal/host';
import { JobPool, type PooledJob } from './pool.ts';
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
  const failed = { error: error.message, ...(isBound && { verdict: 'inconclusive' as const }) };
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

/** Runs each job when a thread is free; one that fails in its thread is a document, not kept. */
async function runInThreads(
  jobs: readonly PooledJob[],
  { host, threads, results, onProgress }: RunOptions,
): Promise<RunJobs> {
  const documents = new Map<string, ResultDocument>();
  results?.create();
  const missing = missingJobs(jobs, results, documents);
  const known = documents.size;
  const all = known + missing.length;
  const lanes = Math.min(threads, missing.length);
  const pool = new JobPool({ threads: lanes, now: host.now });
  const state = { isInterrupted: false };
  const stop = host.onInterrupt(() => {
    state.isInterrupted = true;
    void pool.close();
  });
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
    documents.set(document.hash, document);
    onProgress(documents.size, all);
  };
  const left = missing.values();
  const lane = async (): Promise<void> => {
    for (const pooled of left) {
      await runOne(pooled);
      if (state.isInterrupted) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, () => lane()));
  } finally {
    stop();
    await pool.close();
  }
  return { documents, known, isInterrupted: state.isInterrupted };
}
