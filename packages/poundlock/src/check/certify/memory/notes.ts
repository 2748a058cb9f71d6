// What a proof says of memory beside its verdict: what it found, and the practices it relies on.
import type { RegisterChecks } from '../register-order.ts';
import type { RunState } from '../run-state.ts';
import type { MemoryFault, Practice } from './fault.ts';

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
export function notesOf(
  { memory, openCopies }: Pick<RunState, 'memory' | 'openCopies'>,
  registers: RegisterChecks,
): MemoryNotes {
  const all = [
    ...(memory?.accesses.practices ?? []),
    ...(openCopies?.practices ?? []),
    ...registers.practices,
  ];
  const places = all.map(([practice, { size }]) => [practice, size] as const);
  return { warnings: [...(memory?.accesses.warnings.values() ?? [])], practices: new Map(places) };
}
