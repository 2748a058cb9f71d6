// The whole state of a program in one flat array: roles and registers first, the machine last.
import { Machine, MAX_FLIGHTS, writeInitial } from '../machine/index.ts';
import type { Program } from '../program/index.ts';

/** Word indices of a system's state. Everything from `machine.layout` on belongs to the machine. */
export interface SystemLayout {
  /** One word per role: the step it stands at, −1 before it is spawned. */
  readonly steps: number;
  /** One word per role, ring and side: how many stages it has gone through (R01). */
  readonly registers: number;
  /** One word per ring and CTA: the shared register that `tryClaim` moves (R05). */
  readonly claims: number;
  /** One word per role and count: how often `more` said yes (P05). */
  readonly counts: number;
}

export const NOT_STARTED = -1;

/** Lays out a program's state and makes its machine. */
export function layOutSystem(program: Program): { layout: SystemLayout; machine: Machine } {
  const roles = program.roles.length;
  const { rings, counts } = program.declarations;
  const registers = roles;
  const claims = registers + roles * rings.length * 2;
  const countWords = claims + rings.length * program.ctas;
  const base = countWords + roles * counts.length;
  const layout = { steps: 0, registers, claims, counts: countWords };
  return { layout, machine: new Machine(program.shape(), base) };
}

/** An empty state with room for every flight. */
export function newState(machine: Machine): Int32Array {
  return new Int32Array(machine.openFlights.wordsFor(MAX_FLIGHTS));
}

/** Copies a state without its unused flight words. */
export function copyState(machine: Machine, from: Int32Array, to: Int32Array): void {
  const end = machine.layout.flights;
  for (let i = 0; i < end; i++) to[i] = from[i]!;
  machine.openFlights.copy(from, to);
}

export { writeInitial };
