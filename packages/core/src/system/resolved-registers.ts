// Registers and counts of one role, resolved once for simulations.
import { Side } from '../op/index.ts';
import type { Instruction, Machine } from '../machine/index.ts';
import type { Program } from '../program/index.ts';
import type { SystemLayout } from './layout.ts';

/** The register that a wait or a step names, and the barriers that its stages wait for (R02). */
export class StageRegister {
  readonly #word: number;
  readonly #stages: number;
  /** By stage: the physical barrier. */
  readonly #barriers: Int32Array;
  /** A producer wants the phase of the lap before, which a fresh barrier passes. */
  readonly #behind: number;
  /** A count of the register, and the stage and the lap that it is in. */
  #count = 0;
  #stage = 0;
  #lap = 0;

  constructor(program: Program, layout: SystemLayout, { role, target, side, cta }: Instruction) {
    const { rings } = program.declarations;
    const { stages, full, empty } = rings[target]!;
    const isConsumer = side === Side.consume;
    this.#word = layout.registers + (role * rings.length + target) * 2 + side;
    this.#stages = stages;
    this.#barriers = Int32Array.from(isConsumer ? full : empty, (id) => id * program.ctas + cta);
    this.#behind = isConsumer ? 0 : 1;
  }

  /** R03: the register moves on by one stage. */
  step(words: Int32Array): void {
    words[this.#word]! += 1;
  }

  /** The stage of the register. */
  stage(words: Int32Array): number {
    this.#locate(words);
    return this.#stage;
  }

  /** The barrier that a wait for this stage tests. */
  barrier(words: Int32Array): number {
    return this.#barriers[this.stage(words)]!;
  }

  /** Whether a wait for this stage passes. */
  passes(words: Int32Array, machine: Machine): boolean {
    const barrier = this.barrier(words);
    return machine.passes(words, barrier, this.#lap - this.#behind);
  }

  /** A division takes as long as twenty other instructions, and counts seldom jump. */
  #locate(words: Int32Array): void {
    const count = words[this.#word]!;
    if (count === this.#count) return;
    const next = this.#stage + 1;
    if (count === this.#count + 1) {
      this.#stage = next === this.#stages ? 0 : next;
      if (next === this.#stages) this.#lap += 1;
    } else {
      this.#lap = (count / this.#stages) | 0;
      this.#stage = count - this.#lap * this.#stages;
    }
    this.#count = count;
  }
}

/** The count that a `more` names. */
export class CountRegister {
  readonly #word: number;
  readonly #total: number;

  constructor(program: Program, layout: SystemLayout, { role, target }: Instruction) {
    const { counts } = program.declarations;
    this.#word = layout.counts + role * counts.length + target;
    this.#total = counts[target]!.total;
  }

  /** P05: 1 and one less to go, or 0 when the count is used up. */
  more(words: Int32Array): number {
    if (words[this.#word]! >= this.#total) return 0;
    words[this.#word]! += 1;
    return 1;
  }
}
