// Looks again at disagreements that are stored: each as a job, since one may hang.
import type { Host } from '@poundlock/core/internal/host';
import type { JobProgram } from '../jobs/job.ts';
import type { Outcome } from '../jobs/outcome.ts';
import { streamInThreads } from '../jobs/run-jobs.ts';
import { fuzzJob } from './chunks.ts';
import type { Stored } from './corpus-folder.ts';

/** A stored disagreement, and what is wrong now; '' where nothing is. */
export interface Replayed extends Stored {
  readonly fault: string;
}

/** What check and the truth say now, in the order of the files; `null` after Ctrl-C. */
export async function replay(
  stored: readonly Stored[],
  program: JobProgram,
  { host, threads }: { readonly host: Host; readonly threads: number },
): Promise<Replayed[] | null> {
  const found = new Map<string, string>();
  const jobs = stored.map(({ disagreement }) => {
    const { kind, program: drawn } = disagreement;
    return fuzzJob({ known: [{ kind, program: drawn }] }, program);
  });
  const most = Math.min(threads, jobs.length);
  const options = { host, threads: most, results: null, maxTries: 1 };
  const isInterrupted = await streamInThreads(jobs, options, ({ hash, outcome }) => {
    const answer = outcome as Outcome<'fuzz'>;
    const fault = 'ok' in answer ? (answer.ok.disagreements[0]?.fault ?? '') : answer.failed.error;
    found.set(hash, fault);
  });
  if (isInterrupted) return null;
  return stored.map((one, at) => ({ ...one, fault: found.get(jobs[at]!.hash) ?? '' }));
}
