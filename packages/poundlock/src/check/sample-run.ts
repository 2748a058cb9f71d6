// A sample run before the search: it learns the state's shape and checks the roles.
import {
  findDivergence,
  type Divergence,
  type Program,
  type Unfolding,
} from '@poundlock/core/internal/program';
import { RecordingSteps, type RecordedStep } from '@poundlock/core/internal/program';
import { agentOf, copyState, newState, System, type Move } from '@poundlock/core/internal/system';
import type { Packing } from './packing.ts';

/** The most moves of a sample run (bound `sample-run`): the search learns what it did not see. */
const MAX_SAMPLE_MOVES = 20_000;

/**
 * Runs until nothing moves, agents taking turns; returns what each role did. The moves are added to
 * `path`.
 */
export function sampleRun(
  program: Program,
  unfolding: Unfolding,
  main: System,
  packing: Packing,
  path: Move[] = [],
): RecordedStep[][] {
  const lists = firstRun(program, unfolding, main, MAX_SAMPLE_MOVES, path);
  learnRanges(main, path, packing);
  return lists;
}

/** The same of at most `most` moves, without a packing. */
export function firstRun(
  program: Program,
  unfolding: Unfolding,
  main: System,
  most: number,
  path: Move[] = [],
): RecordedStep[][] {
  const recording = new RecordingSteps(unfolding, program.roles.length);
  const system = new System(program, () => recording, main);
  const words = system.initial();
  const options = new Int32Array(1 << 16);
  let turn = -1;
  for (let moves = 0; moves < most; moves++) {
    const count = system.moves(words, options);
    if (count === 0) break;
    const chosen = nextInTurn(options, count, turn);
    turn = agentOf(chosen);
    path.push(chosen);
    system.apply(words, chosen);
    if (system.symptoms.some((symptom) => symptom.rule !== 'late-pass')) break;
  }
  return recording.lists;
}

/** Of `count` moves the first one of the next agent after `turn`, so that agents take turns. */
export function nextInTurn(moves: Int32Array, count: number, turn: number): Move {
  for (let i = 0; i < count; i++) if (agentOf(moves[i]!) > turn) return moves[i]!;
  return moves[0]!;
}

/** Shows a packing the canonical states of a schedule; which those are is known at its end. */
function learnRanges(system: System, path: readonly Move[], packing: Packing): void {
  const words = system.initial();
  const canonical = newState(system.machine);
  for (const move of path) {
    system.apply(words, move);
    copyState(system.machine, words, canonical);
    system.registers.normalize(canonical);
    packing.see(canonical);
  }
  packing.settle();
}

/** The first role whose second run differs from the first, or `null`. */
export function divergence(
  program: Program,
  unfolding: Unfolding,
  lists: readonly (readonly RecordedStep[])[],
): Divergence | null {
  for (const [role, list] of lists.entries()) {
    const found = findDivergence(program, unfolding, role, list);
    if (found !== null) return found;
  }
  return null;
}
