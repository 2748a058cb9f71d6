// The chunks of a run: which programs each job looks at, and what is left of one that failed.
import type { Chunk } from '@poundlock/fuzz';
import { jobHash, type Job, type JobProgram, type OptionsOfJob } from '../jobs/job.ts';
import { engineVersion } from '../jobs/own-code.ts';
import type { FuzzPlan, Shard } from '../jobs/plan.ts';
import type { PooledJob } from '../jobs/pool.ts';

/** Seeds are those that fast-check takes as they are. */
const SEEDS = 2 ** 31;

/** The chunks of a plan, in order, without an end where it has no number of programs. */
export function* chunksOf({ kinds, seed, programs, chunk: size }: FuzzPlan): Generator<Chunk> {
  const most = programs ?? Infinity;
  for (let at = 0; at * size < most; at++) {
    const to = Math.min(size, most - at * size);
    yield { kinds, seed: (seed + at) % SEEDS, ...(to < size && { from: 0, to }) };
  }
}

/** Every `count`-th chunk, from the `index`-th on. */
export function* ofPart<T>(all: Iterable<T>, shard: Shard | null): Generator<T> {
  let at = 0;
  for (const one of all) {
    if (shard === null || at % shard.count === shard.index - 1) yield one;
    at++;
  }
}

/** A chunk, or programs that are known, as a job. */
export function fuzzJob(options: OptionsOfJob['fuzz'], program: JobProgram): PooledJob {
  const job = jobOf(options, engineVersion(), program.sha256);
  return { hash: jobHash(job), job, source: { program }, program };
}

function jobOf(options: OptionsOfJob['fuzz'], engine: string, program: string): Job<'fuzz'> {
  return { schema: 'poundlock/job@1', engine, verb: 'fuzz', program, params: {}, options };
}

/**
 * The names of the results of a plan: of each chunk, or of the parts that it was divided into. A
 * plan without a number of programs has all that are known.
 */
export function hashesOf(plan: FuzzPlan, known: ReadonlySet<string>): string[] {
  const { engine, program, chunk: size, programs } = plan;
  if (programs === null) return [...known];
  const hashOf = (chunk: Chunk): string => jobHash(jobOf(chunk, engine, program));
  const partsOf = (chunk: Chunk): string[] => {
    const hash = hashOf(chunk);
    return known.has(hash) ? [hash] : halvesOf(chunk, size).flatMap(partsOf);
  };
  return [...chunksOf(plan)].flatMap((chunk) => {
    const parts = partsOf(chunk);
    return parts.length > 0 ? parts : [hashOf(chunk)];
  });
}

/** The halves of a chunk: one of them has the program that failed. */
export function halvesOf(chunk: Chunk, size: number): Chunk[] {
  const { from = 0, to = size } = chunk;
  if (to - from < 2) return [];
  const middle = (from + to) >> 1;
  return [
    { ...chunk, from, to: middle },
    { ...chunk, from: middle, to },
  ];
}
