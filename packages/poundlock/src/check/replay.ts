// Replays one schedule: the finding at its end, or the news that it shows none.
import type { ExampleSchedule, Finding } from '@poundlock/core/internal/finding';
import {
  endSymptoms,
  explain,
  movesOfToken,
  Schedule,
  standingOf,
  stepsWithoutSignal,
  traceOf,
  type Names,
  type Symptom,
  type System,
} from '@poundlock/core/internal/system';
import { Packing } from './packing.ts';
import { Search } from './search.ts';
import { stuckSymptom } from './violations.ts';

export interface Replayed {
  readonly findings: readonly Finding[];
  readonly example: ExampleSchedule;
  readonly moves: number;
}

/** Runs the schedule of `token`. Throws an InputError where it asks for an impossible move. */
export function replay(system: System, names: Names, token: string, maxStates: number): Replayed {
  const moves = movesOfToken(names, token);
  const schedule = new Schedule(system, names, moves);
  const symptoms = [...schedule.symptoms];
  if (symptoms.length === 0) symptoms.push(...lastSymptoms(system, schedule, maxStates));
  return {
    findings: symptoms.map((symptom) => explain(system, names, symptom, moves)),
    example: {
      trace: traceOf(schedule),
      standing: standingOf(schedule),
      replay: schedule.token(),
    },
    moves: moves.length,
  };
}

/** Nothing moves any more, or nothing that moves can ever end. */
function lastSymptoms(system: System, schedule: Schedule, maxStates: number): Symptom[] {
  const { words } = schedule;
  if (system.isFinal(words)) {
    return endSymptoms(system, words);
  }
  const stuck = stuckSymptom(system, words);
  if (system.moves(words, new Int32Array(1 << 16)) === 0) {
    return [...stepsWithoutSignal(schedule), stuck];
  }
  const packing = new Packing(system.machine, system.initial());
  const search = new Search(system, packing, maxStates, { start: words });
  if (search.run(Number.POSITIVE_INFINITY) !== 'exhausted') return [];
  // Livelock: the state can still move, but no end is reachable from it.
  return search.example() === null && search.errors.length === 0 ? [stuck] : [];
}
