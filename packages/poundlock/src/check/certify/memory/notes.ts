// What a proof says of memory beside its verdict: what it found, and the practices it relies on.
import type { MemoryFault, Practice } from './fault.ts';
import type { MemoryOrder } from './memory-order.ts';

/** A fault, and the run that shows it: roles and answers of its operations in order. */
export interface ShownFault {
  readonly fault: MemoryFault;
  readonly order: readonly number[];
}

/** Warnings of a run, and how many places rely on each practice. */
export interface MemoryNotes {
  readonly warnings: readonly MemoryFault[];
  readonly practices: ReadonlyMap<Practice, number>;
}

/** What was noted in a run; nothing where no profile was asked for. */
export function notesOf(memory: MemoryOrder | null): MemoryNotes {
  if (memory === null) return { warnings: [], practices: new Map() };
  const { warnings, practices } = memory.accesses;
  const places = [...practices].map(([practice, { size }]) => [practice, size] as const);
  return { warnings: [...warnings.values()], practices: new Map(places) };
}
