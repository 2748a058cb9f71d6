// Registers: how far each role has come in each ring, and when two states are the same up to laps.
import { Side } from '../op/index.ts';
import { BARRIER_WORDS, K, physical, type Instruction, type Machine } from '../machine/index.ts';
import type { Program } from '../program/index.ts';
import type { SystemLayout } from './layout.ts';

/**
 * The registers of a program (R01–R06). A register counts stages: stage + S · lap. Programs see
 * the stage; the lap gives the phase that a wait wants.
 */
export class Registers {
  readonly #program: Program;
  readonly #layout: SystemLayout;
  readonly #machine: Machine;
  /** By word: registers that some role has used, and counts as registers of the shift. */
  readonly #used: Uint8Array;
  /** By physical barrier: waited for by absolute phase, so that its phases must not shift. */
  readonly #absolute: Uint8Array;
  /** By physical barrier: whether it belongs to a ring. */
  readonly #inRing: Uint8Array;
  /** Whether a use was seen since {@link acceptGrowth}: states stored before it are stale. */
  hasGrown = false;

  constructor(program: Program, layout: SystemLayout, machine: Machine) {
    this.#program = program;
    this.#layout = layout;
    this.#machine = machine;
    const { barriers, rings } = program.declarations;
    this.#used = new Uint8Array(layout.counts);
    this.#absolute = new Uint8Array(barriers.length * program.ctas);
    this.#inRing = new Uint8Array(barriers.length * program.ctas);
    for (const ring of rings) {
      for (const barrier of [...ring.full, ...ring.empty]) {
        for (let cta = 0; cta < program.ctas; cta++) {
          this.#inRing[physical(machine.shape, barrier, cta)] = 1;
        }
      }
    }
  }

  acceptGrowth(): void {
    this.hasGrown = false;
  }

  /** A barrier is waited for by an absolute phase: its true phase is part of the state. */
  markAbsolute(barrier: number): void {
    if (this.#absolute[barrier] === 1) return;
    this.#absolute[barrier] = 1;
    this.hasGrown = true;
  }

  /** R02: the barrier and the phase that a wait for the register's stage wants. */
  wanted(words: Int32Array, instruction: Instruction): { barrier: number; phase: number } {
    const ring = this.#program.declarations.rings[instruction.target]!;
    const count = words[this.#word(instruction)]!;
    const stage = count % ring.stages;
    const lap = (count - stage) / ring.stages;
    const consumes = instruction.value === Side.consume;
    const barrier = consumes ? ring.full[stage]! : ring.empty[stage]!;
    return {
      barrier: physical(this.#machine.shape, barrier, instruction.cta),
      phase: consumes ? lap : lap - 1,
    };
  }

  /** The stage that the register stands at. */
  stage(words: Int32Array, instruction: Instruction): number {
    return words[this.#word(instruction)]! % this.#program.declarations.rings[instruction.target]!.stages;
  }

  /** R03: the register moves on by one stage. */
  step(words: Int32Array, instruction: Instruction): void {
    words[this.#word(instruction)]! += 1;
  }

  /** R05: takes the next stage of a shared register and returns it. */
  claim(words: Int32Array, instruction: Instruction): number {
    const stage = this.stage(words, instruction);
    words[this.#word(instruction)]! += 1;
    return stage;
  }

  /** P05: 1 and one less to go, or 0 when the count is used up. */
  more(words: Int32Array, instruction: Instruction): number {
    const { counts } = this.#program.declarations;
    const word = this.#layout.counts + instruction.role * counts.length + instruction.target;
    if (words[word]! >= counts[instruction.target]!.total) return 0;
    words[word]! += 1;
    return 1;
  }

  /**
   * R06: brings a state to its canonical form. A ring's registers and phases fall by as many whole
   * double laps as all its registers have made; a barrier outside rings that is only waited for by
   * parity keeps its parity.
   */
  normalise(words: Int32Array): void {
    const { rings, barriers } = this.#program.declarations;
    const { ctas } = this.#program;
    for (let ring = 0; ring < rings.length; ring++) {
      for (let cta = 0; cta < ctas; cta++) this.#shift(words, ring, cta);
    }
    for (let barrier = 0; barrier < barriers.length * ctas; barrier++) {
      if (this.#inRing[barrier] === 1 || this.#absolute[barrier] === 1) continue;
      const at = this.#machine.layout.barriers + barrier * BARRIER_WORDS + K;
      // A completed phase stays one: phase 0 with E = 0 means "never initialised".
      if (words[at]! > 2) words[at] = 1 + ((words[at]! - 1) & 1);
    }
  }

  #shift(words: Int32Array, ring: number, cta: number): void {
    const { stages, full, empty } = this.#program.declarations.rings[ring]!;
    let least = -1;
    const visit = (word: number): void => {
      if (this.#used[word] === 1 && (least < 0 || words[word]! < least)) least = words[word]!;
    };
    this.#eachRegister(ring, cta, visit);
    const laps = Math.floor(least / (2 * stages));
    if (laps <= 0) return;
    for (let stage = 0; stage < stages; stage++) {
      if (this.#absolute[physical(this.#machine.shape, full[stage]!, cta)] === 1) return;
      if (this.#absolute[physical(this.#machine.shape, empty[stage]!, cta)] === 1) return;
    }
    this.#eachRegister(ring, cta, (word) => {
      if (this.#used[word] === 1) words[word]! -= 2 * stages * laps;
    });
    for (const barrier of [...full, ...empty]) {
      const at = this.#machine.barrierAt(physical(this.#machine.shape, barrier, cta));
      words[at + K]! -= 2 * laps;
    }
  }

  #eachRegister(ring: number, cta: number, visit: (word: number) => void): void {
    const { roles, declarations } = this.#program;
    for (let role = 0; role < roles.length; role++) {
      if (roles[role]!.cta !== cta) continue;
      const word = this.#layout.registers + (role * declarations.rings.length + ring) * 2;
      visit(word + Side.produce);
      visit(word + Side.consume);
    }
    visit(this.#layout.claims + ring * this.#program.ctas + cta);
  }

  /** The word of the register that an instruction names; it is in use from now on. */
  #word(instruction: Instruction): number {
    const { rings } = this.#program.declarations;
    const { role, target, value, cta } = instruction;
    const isClaim = instruction.count === SHARED;
    const word = isClaim
      ? this.#layout.claims + target * this.#program.ctas + cta
      : this.#layout.registers + (role * rings.length + target) * 2 + value;
    if (this.#used[word] === 0) {
      this.#used[word] = 1;
      this.hasGrown = true;
    }
    return word;
  }
}

/** The count of an instruction that uses the ring's shared register instead of the role's own. */
export const SHARED = 1;
