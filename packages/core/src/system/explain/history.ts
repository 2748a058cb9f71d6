// What a schedule did to a barrier in the phase that it is in, and what roles would do next.
import type { OpKind } from '../../op/index.ts';
import type { StepId } from '../../program/index.ts';
import type { Schedule } from '../schedule.ts';
import type { System } from '../system.ts';

/** The moves that reached a barrier since it last completed a phase, before move `until`. */
export function movesInPhase(
  schedule: Schedule,
  barrier: number,
  until = schedule.records.length,
): number[] {
  const since = schedule.records.findLastIndex(
    (record, at) => at < until && record.completed.some((one) => one.barrier === barrier),
  );
  return Array.from({ length: until }, (_, at) => at).filter((at) => {
    return at > since && schedule.records[at]!.reached.includes(barrier);
  });
}

/** The last move of a role, or −1. */
export function lastMoveOf(schedule: Schedule, role: number): number {
  return schedule.records.findLastIndex(({ agent, instruction }) => {
    return agent === role && instruction !== null;
  });
}

/** How many steps of a role are followed. */
const MAX_LOOKAHEAD = 200;

/** The first step of `kind` on `target` that a role comes to if every answer is 0, or −1. */
export function stepAhead(
  system: System,
  words: Int32Array,
  role: number,
  kind: OpKind,
  target: number,
): StepId {
  let step = words[role]!;
  for (let ahead = 0; ahead < MAX_LOOKAHEAD && step >= 0; ahead++) {
    const instruction = system.steps.instruction(step);
    if (instruction === null) return -1;
    if (instruction.kind === kind && instruction.target === target) return step;
    try {
      step = system.steps.follow(step, 0);
    } catch {
      return -1;
    }
  }
  return -1;
}
