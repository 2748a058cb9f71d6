// Checks of a final state: unfinished phases, and allocation permits that were not relinquished.
import type { Machine } from '../machine/index.ts';
import type { Symptom } from './symptom.ts';
import type { System } from './system.ts';

/** The warnings of a final state (M13, A03). */
export function endSymptoms({ machine }: System, words: Int32Array): Symptom[] {
  const none = { agent: -1, other: -1, step: -1, inMove: false };
  return [
    ...machine.restless(words).map((at) => ({ ...none, rule: 'not-quiescent', at }) as const),
    ...machine.unfilled(words).map((at) => {
      return { ...none, rule: 'not-quiescent', at, onNamed: true } as const;
    }),
    ...machine.unrelinquished(words).map((at) => {
      return { ...none, rule: 'tmem-not-relinquished', at } as const;
    }),
  ];
}

/** Whether a final state has warnings: {@link endSymptoms} lists them. */
export function hasLeftovers(machine: Machine, words: Int32Array): boolean {
  return [machine.restless, machine.unfilled, machine.unrelinquished].some(
    (leftover) => leftover.call(machine, words).length > 0,
  );
}
