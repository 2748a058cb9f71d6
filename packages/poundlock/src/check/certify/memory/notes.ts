// What a proof says of memory beside its verdict: what it found, and the practices it relies on.
import type { OpenCopies } from '../open-copies.ts';
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

/** What was noted in a run: of the order of memory where a profile is asked for. */
export function notesOf(memory: MemoryOrder | null, openCopies: OpenCopies | null): MemoryNotes {
  const all = [...(memory?.accesses.practices ?? []), ...(openCopies?.practices ?? [])];
  const places = all.map(([practice, { size }]) => [practice, size] as const);
  return { warnings: [...(memory?.accesses.warnings.values() ?? [])], practices: new Map(places) };
}
