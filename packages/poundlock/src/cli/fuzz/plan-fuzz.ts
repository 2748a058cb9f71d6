// Which programs a run draws: their kinds, how many, and from which seed.
import { InputError } from '@poundlock/core/internal/base';
import type { KindName } from '@poundlock/fuzz';
import { engineVersion } from '../jobs/own-code.ts';
import { PLAN_SCHEMA, planHash, type FuzzPlan } from '../jobs/plan.ts';
import type { ResultsFolder } from '../jobs/results-folder.ts';
import { readCount } from '../options/amount.ts';
import { drawnPrograms, openFuzz } from './open-fuzz.ts';

/** New seeds are below this. */
const SEEDS = 2 ** 30;

/** The options that choose programs. */
export interface FuzzWords {
  readonly kind?: string;
  readonly seed?: string;
  readonly count?: string;
}

/** What is drawn: a folder that has results goes on with its seed. */
export async function planFuzz(
  options: FuzzWords,
  results: ResultsFolder | null,
): Promise<FuzzPlan> {
  const { chunkSize } = await openFuzz();
  const kinds = await readKinds(options.kind);
  const programs = options.count === undefined ? null : readCount('--count', options.count);
  const fresh: FuzzPlan = {
    schema: PLAN_SCHEMA,
    kind: 'fuzz',
    engine: engineVersion(),
    program: (await drawnPrograms()).sha256,
    kinds,
    seed: Math.floor(Math.random() * SEEDS),
    chunk: chunkSize(kinds),
    programs,
  };
  if (options.seed !== undefined) return { ...fresh, seed: readCount('--seed', options.seed, 0) };
  const same = (results?.plans() ?? []).find((plan): plan is FuzzPlan => {
    if (plan.kind !== 'fuzz') return false;
    return planHash({ ...plan, seed: fresh.seed }) === planHash(fresh);
  });
  return same ?? fresh;
}

async function readKinds(text: string | undefined): Promise<readonly KindName[]> {
  const { KIND_NAMES } = await openFuzz();
  if (text === undefined) return KIND_NAMES;
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.find((word) => !KIND_NAMES.some((name) => name === word));
  if (unknown !== undefined)
    throw new InputError(`--kind takes ${KIND_NAMES.join(', ')}, not "${unknown}"`);
  return KIND_NAMES.filter((name) => words.includes(name));
}
