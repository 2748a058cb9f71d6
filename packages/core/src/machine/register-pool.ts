// Registers: what warps give back to their CTA, and take from it (Q01-Q03).
import { Fault } from './fault.ts';
import type { Instruction } from './instruction.ts';
import type { Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** The fewest and the most registers of a thread, and what their number is a multiple of. */
const LEAST = 24;
const MOST = 256;
const UNIT = 8;

/** Reads and writes the register words of a state. */
export class RegisterPool {
  readonly #layout: Layout;
  readonly #ctas: number;

  constructor(shape: MachineShape, layout: Layout) {
    this.#layout = layout;
    this.#ctas = shape.ctas;
  }

  /** Registers of each thread of a role. */
  held(words: Int32Array, role: number): number {
    return words[this.#layout.registers + this.#ctas + role]!;
  }

  /** Registers of a CTA that no role has. */
  free(words: Int32Array, cta: number): number {
    return words[this.#layout.registers + cta]!;
  }

  /** Q02: whether the CTA has what a role wants; a misuse never blocks. */
  canTake(words: Int32Array, { cta, role, units, threads }: Instruction): boolean {
    const more = units - this.held(words, role);
    return more <= 0 || this.free(words, cta) >= more * threads;
  }

  /** Q02, Q03: gives what a role has more than `units`, or takes what it has less. */
  change(words: Int32Array, instruction: Instruction, isTaking: boolean): Fault {
    const { cta, role, units, threads, isDivergent } = instruction;
    const held = this.held(words, role);
    const isOdd = units < LEAST || units > MOST || units % UNIT !== 0 || isDivergent;
    if (isOdd || (isTaking ? units < held : units > held)) return Fault.registerMisuse;
    words[this.#layout.registers + cta]! += (held - units) * threads;
    words[this.#layout.registers + this.#ctas + role] = units;
    return Fault.none;
  }
}
