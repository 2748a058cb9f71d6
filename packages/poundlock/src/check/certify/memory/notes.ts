// What a proof says of memory beside its verdict: warnings, and the practices it relies on.
import type { MemoryFault, Practice } from './fault.ts';
import type { MemoryOrder } from './memory-order.ts';

/** Warnings, and how many places rely on each practice. */
export interface MemoryNotes {
  readonly warnings: readonly MemoryFault[];
  readonly practices: ReadonlyMap<Practice, number>;
}

export const NO_NOTES: MemoryNotes = { warnings: [], practices: new Map() };

/** What was noted in a run; nothing where no profile was asked for. */
export function notesOf(memory: MemoryOrder | null): MemoryNotes {
  if (memory === null) return NO_NOTES;
  const { warnings, practices } = memory.accesses;
  const places = [...practices].map(([practice, { size }]) => [practice, size] as const);
  return { warnings: [...warnings.values()], practices: new Map(places) };
}
