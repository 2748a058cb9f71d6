// Runs a search in slices to its end or a bound, and puts what it found into findings.
import { formatNumber, Names, Schedule, type System } from '@poundlock/core/internal/system';
import type { SearchProgress } from '@poundlock/core/internal/finding';
import type { Budget } from '../budget.ts';
import { explainAll, maybeLong } from '../explain-violations.ts';
import type { Outcome } from '../outcome.ts';
import type { ReducedSearch } from '../reduce/index.ts';
import type { Search } from '../search.ts';
import { stuckSymptom, type Violation } from '../violations.ts';
import { MAX_SHRINK_MOVES, shrinkSchedule } from '../witness/index.ts';

/** Runs a search to its end; returns why it was stopped before, or `null`. */
export async function drive(
  search: Search | ReducedSearch,
  slice: number,
  budget: Budget,
): Promise<string | null> {
  try {
    while (search.run(slice) === 'running') {
      budget.show(search);
      await budget.pause();
      const reason = budget.stopReason();
      if (reason !== null) return reason;
    }
    return null;
  } finally {
    const { states, transitions } = search;
    budget.searched.progress = { states, transitions, unfinished: progressOf(search) };
  }
}

type AnySearch = Search | ReducedSearch;

/** How far a search came. */
export function progressOf({ depth, frontier }: AnySearch): SearchProgress {
  return { depth, open: frontier };
}

/** A search that is over. */
interface Done {
  readonly system: System;
  readonly names: Names;
  readonly engine: Outcome['engine'];
  readonly search: AnySearch;
  /** Whether its schedules are shortest ones; others are shrunk, and said to be long. */
  readonly isShortestFirst: boolean;
}

/** The outcome of a search that ended, reached `maxStates` or was stopped. */
export function concluded(done: Done, maxStates: number, stopped: string | null): Outcome {
  const { system, names, engine, search, isShortestFirst } = done;
  const bound = `the bound max-states of ${formatNumber(maxStates)} was reached`;
  const reason = search.status === 'max-states' ? bound : stopped;
  const budget = MAX_SHRINK_MOVES / Math.max(1, search.errors.length);
  const shorter = (one: Violation): Violation =>
    isShortestFirst ? one : shrinkSchedule(system, one, budget);
  // What was found is shown, however little time is left: that is short.
  if (search.errors.length > 0) system.program.alarm.stop();
  const errors = search.errors.map(shorter);
  if (search.status === 'exhausted' && errors.length === 0)
    errors.push(...livelock(system, search));
  const explained = explainAll(system, names, errors, search.warnings);
  const findings = isShortestFirst ? explained : maybeLong(explained);
  const { states, transitions } = search;
  const outcome = { engine, events: transitions, states, transitions, findings, reason };
  return reason === null ? outcome : { ...outcome, unfinished: progressOf(search) };
}

function livelock(system: System, search: AnySearch): Violation[] {
  const path = search.cannotTerminate();
  if (path === null) return [];
  const { words } = new Schedule(system, new Names(system), path);
  return [{ symptom: stuckSymptom(system, words), path }];
}
