// Checks by a small search whether a run can still terminate: polling roles hide deadlocks.
import { agentOf, copyState, newState, type System } from '@poundlock/core/internal/system';

/** The most states that are visited (bound `termination-states`). */
const MAX_STATES = 5_000;
const MAX_MOVES = 1 << 17;

/**
 * Whether no final state is reachable from a state (P11), in any order of the roles; flights
 * complete as they are issued, as in a run. Also `false` if there are too many states to decide.
 */
export function cannotTerminate(system: System, from: Int32Array): boolean {
  const { machine, registers } = system;
  const moves = new Int32Array(MAX_MOVES);
  const seen = new Set<string>();
  const open: Int32Array[] = [];
  const visit = (words: Int32Array): void => {
    registers.normalize(words);
    const used = machine.openFlights.usedWords(words);
    const key = words.subarray(0, used).join();
    if (seen.has(key)) return;
    seen.add(key);
    open.push(words.slice(0, used));
  };
  const next = newState(machine);
  copyState(machine, from, next);
  visit(next);
  for (let words = open.pop(); words !== undefined; words = open.pop()) {
    if (system.isFinal(words)) return false;
    if (seen.size > MAX_STATES) return false;
    const state = newState(machine);
    state.set(words);
    const all = moves.slice(0, system.moves(state, moves));
    const completions = all.filter((move) => agentOf(move) >= system.roles);
    for (const move of completions.length > 0 ? completions : all) {
      copyState(machine, state, next);
      system.apply(next, move);
      // A reachable violation is a separate finding, so this is not a deadlock.
      if (system.symptoms.some(({ rule }) => rule !== 'late-pass')) return false;
      visit(next);
    }
  }
  return true;
}
