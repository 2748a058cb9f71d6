// Looks for a state of the model that is the one that a GPU was stopped in.
import type { CheckResult, Finding } from '@poundlock/core/internal/finding';
import { agentOf, type Move, type System } from '@poundlock/core/internal/system';
import type { Kernel } from '@poundlock/core/internal/program';
import {
  agreeing,
  compareState,
  isFull,
  type Agreement,
  type ComparedBlocks,
} from './agreement.ts';
import { ModelStates, type Choice, type ModelState } from './model-state.ts';

/** A state of the model and how far it is the one that was saved. */
export interface Match {
  readonly state: ModelState;
  readonly agreement: Agreement;
  /** The finding whose schedule leads there; `null` where another schedule was looked for. */
  readonly finding: Finding | null;
}

/** The most schedules that are tried. */
const MAX_SCHEDULES = 256;

/**
 * The state that agrees best. The ends of what `check` found come first; then schedules in which
 * one role after the other is as late, or as early, as it can be, and random ones.
 */
export function findState(
  kernel: Kernel,
  result: CheckResult,
  compared: ComparedBlocks,
  isOver: () => boolean,
): Match | null {
  const states = new ModelStates(kernel, result.params);
  let best: Match | null = null;
  const consider = (state: ModelState, finding: Finding | null): boolean => {
    if (!state.isFinal) return false;
    const agreement = compareState(compared, state);
    const isBetter = best === null || agreeing(agreement) > agreeing(best.agreement);
    if (isBetter || (best !== null && isFull(agreement) && !isFull(best.agreement)))
      best = { state, agreement, finding };
    return isFull(agreement);
  };
  for (const finding of result.findings) {
    if (finding.replayToken === undefined || finding.launch !== undefined) continue;
    if (consider(states.after(finding.replayToken), finding)) return best;
  }
  let tried = 0;
  for (const choose of choices(states.system)) {
    if (isOver() || ++tried > MAX_SCHEDULES) break;
    if (consider(states.after('', choose), null)) break;
  }
  return best;
}

/** Rules by which a schedule is made. */
function* choices(system: System): Generator<Choice> {
  const agents = Array.from({ length: system.roles }, (_, role) => role);
  yield (moves) => lowest(moves, (agent) => -agent);
  for (const late of agents) yield (moves) => lowest(moves, (agent) => (agent === late ? 1 : 0));
  for (const early of agents) yield (moves) => lowest(moves, (agent) => (agent === early ? 0 : 1));
  for (let seed = 1; ; seed++) {
    const random = randomOf(seed);
    yield (moves) => moves[Math.floor(random() * moves.length)]!;
  }
}

/** The first of the moves whose agent has the lowest rank. */
function lowest(moves: readonly Move[], rank: (agent: number) => number): Move {
  let best = moves[0]!;
  for (const move of moves) if (rank(agentOf(move)) < rank(agentOf(best))) best = move;
  return best;
}

/** Numbers from 0 to 1 that are the same each time. */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e37_79b9;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x1234_5677) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}
