// Replays one schedule: the finding at its end, or the news that it shows none.
import {
  endSymptoms,
  explain,
  movesOfToken,
  Names,
  Schedule,
  standingOf,
  stepsWithoutSignal,
  traceOf,
  type Symptom,
  type System,
} from '@poundlock/core/internal/system';
import type { Outcome } from '../outcome.ts';
import { Packing } from '../packing.ts';
import { Search } from '../search.ts';
import { stuckSymptom } from '../violations.ts';
import type { Decide } from './decider.ts';
import { orWhy } from './in-space.ts';

/** Runs the schedule of a token. Throws an InputError where it needs an impossible move. */
export const replaySchedule: Decide = async (problem, budget) => {
  const { replay: token } = problem.question;
  if (token === undefined) return null;
  return await orWhy(problem, budget, async () =>
    replay(problem.runnable.system, token, budget.maxStates),
  );
};

function replay(system: System, token: string, maxStates: number): Outcome {
  const names = new Names(system);
  const moves = movesOfToken(names, token);
  const schedule = new Schedule(system, names, moves);
  const symptoms = [...schedule.symptoms];
  if (symptoms.length === 0) symptoms.push(...lastSymptoms(system, schedule, maxStates));
  return {
    engine: 'replay',
    events: 0,
    findings: symptoms.map((symptom) => explain(system, names, symptom, moves)),
    reason: 'the replayed schedule ends without a finding',
    states: 0,
    transitions: moves.length,
    example: {
      trace: traceOf(schedule),
      standing: standingOf(schedule),
      replayToken: schedule.token(),
    },
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
    const causes = stepsWithoutSignal(schedule);
    return causes.length === 0 ? [stuck] : causes;
  }
  const packing = new Packing(system.machine, system.initial());
  const search = new Search(system, packing, maxStates, words);
  if (search.run(Number.POSITIVE_INFINITY) !== 'exhausted') return [];
  // Livelock: the state can still move, but no end is reachable from it.
  return search.example() === null && search.errors.length === 0 ? [stuck] : [];
}
