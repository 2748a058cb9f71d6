// Which searches follow one another, and what comes of them.
import { invariant } from '@poundlock/core/internal/base';
import { formatNumber, Names, Schedule, type System } from '@poundlock/core/internal/system';
import { exampleOf, explainAll, maybeLong } from './explain-violations.ts';
import {
  CONFIRM_STATES,
  DEFAULT_MAX_STATES,
  FEW_STATES,
  REDUCED_SLICE,
  SLICE,
  type CheckOptions,
} from './options.ts';
import { stopReason, type Outcome } from './outcome.ts';
import type { Packing } from './packing.ts';
import { ParallelSearch, type StartCrew } from './parallel/index.ts';
import { ReducedSearch } from './reduce/index.ts';
import { Search } from './search.ts';
import { stuckSymptom, type Sighting } from './violations.ts';
import { STRATEGIES } from './strategies/index.ts';
import { MAX_SHRINK_MOVES, shrinkSchedule } from './witness/index.ts';

/**
 * A few states without reduction, which shows the shortest schedules and is enough for most;
 * then with reduction; and without it again for a shorter schedule of what that found.
 */
export async function searchAll(asks: Asks): Promise<Outcome> {
  const { example = false, maxStates = DEFAULT_MAX_STATES } = asks.options;
  const engine = engineOf(asks.options);
  if (engine === 'search' || example) return await searchPlainly(asks, maxStates);
  if (engine === 'auto') {
    const few = await searchPlainly(asks, Math.min(maxStates, FEW_STATES));
    if (few.reason === null || maxStates <= FEW_STATES) return few;
  }
  const search = new ReducedSearch(asks.system, asks.packing, maxStates);
  const reduced = await drive(asks, 'reduced', search, maxStates, false);
  if (!hasError(reduced)) return reduced;
  const shortest = await searchPlainly(asks, Math.min(maxStates, CONFIRM_STATES));
  if (shortest.reason !== null) return reduced;
  invariant(hasError(shortest), 'what the reduced search finds is there');
  return shortest;
}

/** Only a search without reduction has a strategy. */
export function engineOf({ engine = 'auto', strategy }: CheckOptions) {
  return engine === 'auto' && strategy !== undefined ? 'search' : engine;
}

function hasError({ findings }: Outcome): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

export interface Asks {
  readonly system: System;
  readonly names: Names;
  readonly packing: Packing;
  readonly options: CheckOptions;
  readonly started: number;
}

async function searchPlainly(asks: Asks, maxStates: number): Promise<Outcome> {
  const { system, names, packing, options } = asks;
  const strategy = STRATEGIES[options.strategy ?? 'bfs'];
  const { jobs = 1, startCrew } = options;
  const isShared = jobs > 1 && strategy.isShortestFirst && maxStates > FEW_STATES;
  if (isShared && startCrew !== undefined && system.program.kernel.ownership === 'explicit') {
    return await searchTogether(asks, maxStates, jobs, startCrew);
  }
  const search = new Search(system, packing, maxStates, { ...options, start: null, strategy });
  const outcome = await drive(asks, 'search', search, maxStates, strategy.isShortestFirst);
  const best = options.example === true ? search.example() : null;
  return best === null ? outcome : { ...outcome, example: exampleOf(system, names, best) };
}

/** The same with several threads, which number steps in their own way. */
async function searchTogether(
  { system: { program, registers }, packing, options, started }: Asks,
  maxStates: number,
  jobs: number,
  startCrew: StartCrew,
): Promise<Outcome> {
  const known = { ranges: packing.ranges, marks: registers.marks };
  const search = new ParallelSearch(program, maxStates, jobs, startCrew, known);
  const { system } = search;
  let reason: string | null = null;
  const done = await search.run(() => {
    const { states, transitions, depth, frontier } = search;
    options.onProgress?.({ states, transitions, depth, frontier });
    reason = stopReason(options, started);
    return reason !== null;
  });
  const names = new Names(system);
  return conclude(
    { system, names, engine: 'search', search: done, isShortestFirst: true },
    maxStates,
    reason,
  );
}

/** Runs a search to its end or to a bound. */
async function drive(
  { system, names, options, started }: Asks,
  engine: string,
  search: Search | ReducedSearch,
  maxStates: number,
  isShortestFirst: boolean,
): Promise<Outcome> {
  const slice = search instanceof ReducedSearch ? REDUCED_SLICE : SLICE;
  let reason: string | null = null;
  while (search.run(slice) === 'running') {
    const { states, transitions, depth, frontier } = search;
    options.onProgress?.({ states, transitions, depth, frontier });
    await options.pause?.();
    reason = stopReason(options, started);
    if (reason !== null) break;
  }
  return conclude({ system, names, engine, search, isShortestFirst }, maxStates, reason);
}

type AnySearch = Search | ReducedSearch | ParallelSearch;

interface Done {
  readonly system: System;
  readonly names: Names;
  readonly engine: string;
  readonly search: AnySearch;
  /** Whether its schedules are shortest ones; others are shrunk, and said to be long. */
  readonly isShortestFirst: boolean;
}

function conclude(done: Done, maxStates: number, stopped: string | null): Outcome {
  const { system, names, engine, search, isShortestFirst } = done;
  const bound = `the bound max-states of ${formatNumber(maxStates)} was reached`;
  const reason = search.status === 'max-states' ? bound : stopped;
  const budget = MAX_SHRINK_MOVES / Math.max(1, search.errors.length);
  const shorter = (one: Sighting): Sighting =>
    isShortestFirst ? one : shrinkSchedule(system, one, budget);
  const errors = search.errors.map(shorter);
  if (search.status === 'exhausted' && errors.length === 0)
    errors.push(...livelock(system, search));
  const explained = explainAll(system, names, errors, search.warnings);
  const findings = isShortestFirst ? explained : maybeLong(explained);
  const { states, transitions } = search;
  return { engine, events: transitions, states, transitions, findings, reason };
}

function livelock(system: System, search: AnySearch): Sighting[] {
  const path = search.doomed();
  if (path === null) return [];
  const { words } = new Schedule(system, new Names(system), path);
  return [{ symptom: stuckSymptom(system, words), path }];
}
