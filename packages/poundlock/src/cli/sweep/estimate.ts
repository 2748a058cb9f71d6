// How long jobs will take, from a few of them.
import type { JobVerb } from '../jobs/job.ts';
import type { ResultDocument } from '../jobs/outcome.ts';
import type { PooledJob } from '../jobs/pool.ts';

/** How many rows are tried for an estimate: the first, the last and some between. */
const SAMPLED_ROWS = 4;

/** The jobs of a few rows that are spread over a sweep. */
export function sampleOf(jobs: readonly PooledJob[], verbs: number): PooledJob[] {
  const rows = Math.ceil(jobs.length / verbs);
  const last = Math.min(rows, SAMPLED_ROWS) - 1;
  const chosen = Array.from({ length: last + 1 }, (_, at) =>
    last === 0 ? 0 : Math.round((at * (rows - 1)) / last),
  );
  return [...new Set(chosen)].flatMap((row) => jobs.slice(row * verbs, (row + 1) * verbs));
}

/** The milliseconds that jobs take on some threads, judged by those that have run. */
export function estimateMs(
  jobs: readonly PooledJob[],
  documents: Iterable<ResultDocument>,
  threads: number,
): number {
  const byVerb = Map.groupBy(documents, ({ job }) => job.verb);
  const meanOf = (verb: JobVerb): number => {
    const times = (byVerb.get(verb) ?? []).map(({ elapsedMs }) => elapsedMs);
    return times.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / times.length;
  };
  const total = jobs.reduce((sum, { job }) => sum + meanOf(job.verb), 0);
  return total / Math.min(threads, Math.max(1, jobs.length));
}
