// Explores a kernel by hand: replays the moves that were chosen, and lists those that are possible.
import { InputError } from '@poundlock/core/internal/base';
import type { SlotState, Standing } from '@poundlock/core/internal/finding';
import {
  Program,
  requireKernel,
  resolveParameters,
  withStrands,
} from '@poundlock/core/internal/program';
import type { Kernel, Overrides } from '@poundlock/core/internal/program';
import { readToken } from '@poundlock/core/internal/replay';
import {
  agentOf,
  barriersAfter,
  explain,
  movesOfToken,
  Names,
  nextMoves,
  nextOperations,
  Schedule,
  standingOf,
  traceOf,
  type Move,
} from '@poundlock/core/internal/system';
import { isWaiting, nextInTurn, Problem, standingAhead, stuckSymptom } from '../check/index.ts';
import type { ExploredState } from './state.ts';

/** The most steps of a schedule that is explored by hand. */
export const MAX_STEPS = 20_000;

/**
 * The state of a kernel after the schedule of a replay token.
 *
 * @throws InputError if a move is not possible, or the kernel cannot be executed.
 */
export async function explore(
  kernel: Kernel,
  params: Overrides = {},
  token = '',
): Promise<ExploredState> {
  requireKernel(kernel);
  const steps = readToken(token);
  if (steps.length > MAX_STEPS) {
    throw new InputError(`a schedule that is explored has at most ${MAX_STEPS} steps`);
  }
  return await withStrands(() => {
    const resolved = resolveParameters(kernel, params);
    const problem = new Problem(new Program(kernel, resolved), {});
    const { system } = problem.runnable;
    const names = new Names(system);
    const path = movesOfToken(names, token);
    const schedule = new Schedule(system, names, path);
    const moves = nextMoves(schedule);
    const symptoms = [...schedule.symptoms];
    const isStuck = moves.length === 0 && !system.isFinal(schedule.words);
    if (symptoms.length === 0 && isStuck) symptoms.push(stuckSymptom(system, schedule.words));
    const trace = traceOf(schedule);
    return {
      token: schedule.token(),
      path: steps.map(({ letter, option }) => [letter, option] as const),
      trace,
      standing: standingIn(schedule, () => kernel.reference?.(resolved.values)?.ahead?.() ?? null),
      moves,
      operations: nextOperations(schedule),
      barriers: barriersAfter(schedule),
      slots: lastSlots(trace),
      findings: symptoms.map((symptom) => explain(system, names, symptom, path)),
    };
  });
}

/** The most steps of a schedule that is shown unasked. */
const MAX_EXAMPLE = 2000;
/** The most moves that a state may have. */
const MAX_MOVES = 1 << 16;

/**
 * A schedule as a token: agents take turns until every role has ended, or something is wrong.
 *
 * @throws InputError if the kernel cannot be executed.
 */
export async function exampleToken(kernel: Kernel, params: Overrides = {}): Promise<string> {
  return await withStrands(() => {
    const problem = new Problem(new Program(kernel, resolveParameters(kernel, params)), {});
    const { system } = problem.runnable;
    const words = system.initial();
    const options = new Int32Array(MAX_MOVES);
    const path: Move[] = [];
    let turn = -1;
    while (path.length < MAX_EXAMPLE) {
      const count = system.moves(words, options);
      if (count === 0) break;
      const chosen = nextInTurn(options, count, turn);
      turn = agentOf(chosen);
      path.push(chosen);
      system.apply(words, chosen);
      if (system.symptoms.length > 0) break;
    }
    return new Schedule(system, new Names(system), path).token();
  });
}

/** Who waits for whom: of a run that got stuck, with what is behind the waits. */
function standingIn(schedule: Schedule, ahead: () => Kernel | null): readonly Standing[] {
  const standing = standingOf(schedule);
  const kernel = standing.some(isWaiting) ? ahead() : null;
  return kernel === null ? standing : standingAhead(standing, kernel, schedule.token());
}

function lastSlots(trace: ExploredState['trace']): SlotState[] {
  const last = new Map<string, SlotState>();
  for (const { slots } of trace) for (const slot of slots) last.set(slot.name, slot);
  return [...last.values()].toSorted((a, b) => {
    return a.name.localeCompare(b.name, 'en', { numeric: true });
  });
}
