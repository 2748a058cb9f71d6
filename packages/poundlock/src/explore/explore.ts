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
  barriersAfter,
  explain,
  movesOfToken,
  Names,
  nextMoves,
  nextOperations,
  Schedule,
  standingOf,
  traceOf,
} from '@poundlock/core/internal/system';
import { isWaiting, Problem, standingAhead, stuckSymptom } from '../check/index.ts';
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
