// --workers, --shard and --job-limit: how many threads run which part of the jobs, and how long.
import { availableParallelism } from 'node:os';
import { InputError } from '@poundlock/core/internal/base';
import type { Shard } from '../jobs/plan.ts';
import { readCount, readTime } from './amount.ts';

/** The most threads of one command. */
const MAX_WORKERS = 256;
/** The most parts that jobs are divided into. */
const MAX_SHARDS = 100_000;

/** A number of threads; one for each core unless specified. */
export function readWorkers(text: string | undefined): number {
  if (text === undefined) return Math.min(MAX_WORKERS, availableParallelism());
  const workers = readCount('--workers', text);
  if (workers <= MAX_WORKERS) return workers;
  throw new InputError(`--workers must be at most ${MAX_WORKERS}, not ${workers}`);
}

/** `3/16`: the third of sixteen parts. */
export function readShard(text: string | undefined): Shard | null {
  if (text === undefined) return null;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match !== null && index >= 1 && index <= count && count <= MAX_SHARDS)
    return { index, count };
  throw new InputError(`--shard must be i/n with i from 1 to n, such as 3/16, not "${text}"`);
}

/** How long a job may run on its thread; without a limit unless specified. */
export function readJobLimit(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readTime('--job-limit', text);
}
