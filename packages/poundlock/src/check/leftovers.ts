// What every run of a certified program leaves behind, as warnings that one run shows.
import type { Finding } from '@poundlock/core/internal/finding';
import type { Program } from '@poundlock/core/internal/program';
import {
  agentOf,
  copyState,
  endSymptoms,
  explainSchedule,
  Names,
  newState,
  Schedule,
  type Move,
  type System,
} from '@poundlock/core/internal/system';
import { MAX_FINDINGS } from './options.ts';
import { nextInTurn } from './sample-run.ts';
import { unfold } from './search-space.ts';

/** The longest schedule of a warning (bound `leftover-schedule`); longer ones are cut. */
export const MAX_SHOWN_MOVES = 50_000;
/** The most moves of the run (bound `leftover-run`): of a longer one the warning has no place. */
const MAX_LEFTOVER_MOVES = 200_000;

/** The end of a run: the moves since `start`, which is `undefined` for the initial state. */
interface Ending {
  readonly path: readonly Move[];
  readonly start: Int32Array | undefined;
}

export function leftovers(program: Program): Finding[] {
  const { system } = unfold(program);
  // Bytes that come after the end of their CTA are missing where copies take longest (X02).
  for (const isLate of [false, true]) {
    const ending = runToEnd(system, isLate);
    if (ending === null) continue;
    const schedule = new Schedule(system, new Names(system), ending.path, ending.start);
    const symptoms = endSymptoms(system, schedule.words);
    if (symptoms.length === 0) continue;
    return symptoms.slice(0, MAX_FINDINGS).map((symptom) => explainSchedule(schedule, symptom));
  }
  return [unseen(program)];
}

/** The same without a run that shows it. */
export function withoutRun(program: Program): Finding[] {
  return [unseen(program)];
}

/**
 * Agents take turns until all have ended, units last where work `isLate`; `null` where that takes
 * too long.
 */
function runToEnd(system: System, isLate: boolean): Ending | null {
  const words = system.initial();
  const moves = new Int32Array(1 << 16);
  let path: Move[] = [];
  let start: Int32Array | undefined;
  let turn = -1;
  for (let count = 0; count < MAX_LEFTOVER_MOVES; count++) {
    const enabled = system.moves(words, moves);
    if (enabled === 0) return system.isFinal(words) ? { path, start } : null;
    if (path.length >= MAX_SHOWN_MOVES) {
      start = newState(system.machine);
      copyState(system.machine, words, start);
      path = [];
    }
    const acting = isLate ? rolesFirst(moves, enabled, system.roles) : enabled;
    const chosen = nextInTurn(moves, acting, turn);
    turn = agentOf(chosen);
    path.push(chosen);
    system.apply(words, chosen);
  }
  return null;
}

/** Moves the moves of roles to the front; returns how many there are, or of all if none is. */
function rolesFirst(moves: Int32Array, enabled: number, roles: number): number {
  const all = [...moves.subarray(0, enabled)];
  const ofRoles = all.filter((move) => agentOf(move) < roles);
  moves.set(ofRoles);
  return ofRoles.length === 0 ? enabled : ofRoles.length;
}

/** The proof has seen what is left over, and the run above has not. */
function unseen({ kernel }: Program): Finding {
  const place = kernel.position ?? { file: '', line: 1, column: 1 };
  return {
    rule: 'not-quiescent',
    severity: 'warning',
    message: 'the kernel ends with an unfinished phase of a barrier, or with an allocation',
    primary: { ...place, text: 'in this kernel' },
    labels: [],
    notes: ['the run is too long to show which: try smaller parameters'],
    helps: [],
  };
}
