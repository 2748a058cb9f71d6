// Checks of a final state: incomplete phases, and allocation permits that were not relinquished.
import type { Symptom } from './symptom.ts';
import type { System } from './system.ts';

/** The warnings of a final state (M13, A03). */
export function endSymptoms({ machine }: System, words: Int32Array): Symptom[] {
  const none = { agent: -1, other: -1, step: -1, inMove: false };
  return [
    ...machine.restless(words).map((at) => ({ ...none, rule: 'not-quiescent', at }) as const),
    ...machine.unrelinquished(words).map((at) => {
      return { ...none, rule: 'tmem-not-relinquished', at } as const;
    }),
  ];
}
