// Registers: the progress of each role in each ring, and the canonical form of states up to laps.
import { InvariantError, unreachable } from '../base/index.ts';
import { isSilent, isStageTest, OpKind, Side } from '../op/index.ts';
import { BARRIER_WORDS, K, physical, type Instruction, type Machine } from '../machine/index.ts';
import type { Program } from '../program/index.ts';
import type { SystemLayout } from './layout.ts';

/**
 * What a register is used for. One that only counts is independent of its ring's barriers: their
 * phases may stay while it goes round, as those of a CTA whose roles signal its leader's instead.
 */
const Use = { counts: 1, awaits: 3 } as const;

/** What {@link Registers.pass} answers for a step that breaks R10 and is not performed. */
export const MISSTEP = -1;

/**
 * The registers of a program (R01–R06). A register counts stages: stage + S · lap. Programs see
 * the stage; the lap gives the phase that a wait wants.
 */
export class Registers {
  readonly #program: Program;
  readonly #layout: SystemLayout;
  readonly #machine: Machine;
  /** The first register's word, and how many rings each role has registers for. */
  readonly #first: number;
  readonly #rings: number;
  /** By word of a register: the stages of its ring, and by stage the barrier that it waits for. */
  readonly #stages: Int32Array;
  readonly #awaited: (readonly number[])[];
  /** By word: bits of {@link Use}, how some role has used a register. */
  readonly #uses: Uint8Array;
  /** By physical barrier: waited for by absolute phase, so that its phases must not shift. */
  readonly #absolute: Uint8Array;
  readonly #hasCopies: boolean;
  /** By ring and CTA: what {@link normalize} shifts, computed again when a use is seen. */
  #shifts: RingShift[] | null = null;
  /** Words with the phase of barriers that keep only their parity. */
  #parityWords: number[] = [];
  /** By word: whether it is one of the parity words. */
  #isParity = new Uint8Array(0);
  /** Whether a register has moved on since a state was brought to its canonical form. */
  #hasAdvanced = false;
  /** Whether a use was seen since {@link acceptGrowth}: states stored before it are stale. */
  hasGrown = false;
  /** How often a use was seen: states stored under another number are stale. */
  generation = 0;

  constructor(program: Program, layout: SystemLayout, machine: Machine) {
    this.#program = program;
    this.#layout = layout;
    this.#machine = machine;
    const { barriers, rings } = program.declarations;
    this.#hasCopies = rings.some((ring, id) => ring.group !== id);
    this.#first = layout.registers;
    this.#rings = rings.length;
    this.#uses = new Uint8Array(layout.counts);
    this.#stages = new Int32Array(layout.counts);
    this.#awaited = Array.from({ length: layout.counts }, () => []);
    for (const [ring, { stages, full, empty }] of rings.entries()) {
      for (const [role, { cta }] of program.roles.entries()) {
        this.#describe(this.#registerWord(role, ring, Side.produce), stages, empty, cta);
        this.#describe(this.#registerWord(role, ring, Side.consume), stages, full, cta);
      }
      for (let cta = 0; cta < program.ctas; cta++) {
        this.#describe(layout.claims + ring * program.ctas + cta, stages, full, cta);
      }
    }
    this.#absolute = new Uint8Array(barriers.length * program.ctas);
  }

  #describe(word: number, stages: number, awaited: readonly number[], cta: number): void {
    const { shape } = this.#machine;
    const barriers: number[] = [];
    for (const id of awaited) barriers.push(physical(shape, id, cta));
    this.#stages[word] = stages;
    this.#awaited[word] = barriers;
  }

  acceptGrowth(): void {
    this.hasGrown = false;
  }

  /** Whether the same registers of two roles were seen in use. */
  areUsedAlike(role: number, other: number): boolean {
    const [one, two] = [this.#registerWord(role, 0, 0), this.#registerWord(other, 0, 0)];
    for (let i = 0; i < this.#rings * 2; i++) {
      if (this.#uses[one + i] !== this.#uses[two + i]) return false;
    }
    return true;
  }

  /** A barrier is waited for by an absolute phase: its true phase is part of the state. */
  markAbsolute(barrier: number): void {
    if (this.#absolute[barrier] === 1) return;
    this.#absolute[barrier] = 1;
    this.#grow();
  }

  /** R02: the physical barrier that a wait for the register's stage tests. */
  wantedBarrier(words: Int32Array, instruction: Instruction): number {
    const word = this.#word(instruction, Use.awaits);
    return this.#awaited[word]![words[word]! % this.#stages[word]!]!;
  }

  /** R02: the absolute phase that such a wait wants. */
  wantedPhase(words: Int32Array, instruction: Instruction): number {
    const word = this.#word(instruction, Use.awaits);
    const lap = (words[word]! / this.#stages[word]!) | 0;
    return instruction.side === Side.consume ? lap : lap - 1;
  }

  /** The stage of the register. */
  stage(words: Int32Array, instruction: Instruction): number {
    const word = this.#word(instruction);
    return words[word]! % this.#stages[word]!;
  }

  /**
   * R09: a ring over the same barriers whose register, of the same role and side, is further on:
   * what the instruction does next, the role has done through the other. −1 where there is none.
   */
  forkOf(words: Int32Array, instruction: Instruction): number {
    const { target, role, side, kind } = instruction;
    const { rings } = this.#program.declarations;
    if (!this.#hasCopies || !isStageTest(kind) || kind === OpKind.tryClaim) return -1;
    const { group } = rings[target]!;
    const own = words[this.#registerWord(role, target, side)]!;
    for (let ring = 0; ring < rings.length; ring++) {
      if (ring === target || rings[ring]!.group !== group) continue;
      if (words[this.#registerWord(role, ring, side)]! > own) return ring;
    }
    return -1;
  }

  /** How many stages a role has gone through on one side of a ring, by laps and stages. */
  progress(words: Int32Array, role: number, ring: number, side: number): number {
    return words[this.#registerWord(role, ring, side)]!;
  }

  /** R10: whether a step follows the release of another stage than the register's. */
  isMisstep(words: Int32Array, instruction: Instruction): boolean {
    return instruction.past >= 0 && this.stage(words, instruction) !== instruction.past;
  }

  /** R03: the register moves on by one stage. */
  step(words: Int32Array, instruction: Instruction): void {
    this.#advance(words, this.#word(instruction));
  }

  /** R05: takes the next stage of a shared register and returns it. */
  claim(words: Int32Array, instruction: Instruction): number {
    const stage = this.stage(words, instruction);
    this.#advance(words, this.#word(instruction));
    return stage;
  }

  #advance(words: Int32Array, word: number): void {
    words[word]! += 1;
    this.#machine.journal.note(word);
    this.#hasAdvanced = true;
  }

  /** P05: 1 and one less to go, or 0 when the count is used up. */
  more(words: Int32Array, instruction: Instruction): number {
    const { counts } = this.#program.declarations;
    const word = this.#layout.counts + instruction.role * counts.length + instruction.target;
    if (words[word]! >= counts[instruction.target]!.total) return 0;
    words[word]! += 1;
    this.#machine.journal.note(word);
    return 1;
  }

  /**
   * P10: performs a silent operation, which touches only what is its role's own, and returns its
   * answer; {@link MISSTEP} where a step follows the release of another stage (R10).
   */
  pass(words: Int32Array, instruction: Instruction): number {
    const { kind } = instruction;
    if (!isSilent(kind))
      throw new InvariantError('only a silent operation is performed immediately');
    switch (kind) {
      case OpKind.step:
        if (this.isMisstep(words, instruction)) return MISSTEP;
        this.step(words, instruction);
        return 0;
      case OpKind.stage:
        return this.stage(words, instruction);
      case OpKind.more:
        return this.more(words, instruction);
      // Time and fences: no state knows of them (S03, S04).
      case OpKind.compute:
      case OpKind.fence:
        return 0;
      default:
        return unreachable(kind);
    }
  }

  /**
   * R06: brings a state to its canonical form. A ring's registers, and the phases that are waited
   * for through them, decrease by as many whole double laps as all its registers have in common; a
   * barrier that no role waits for by phase keeps its parity.
   */
  normalize(words: Int32Array): void {
    this.#shift(words);
    for (let i = 0; i < this.#parityWords.length; i++) foldPhase(words, this.#parityWords[i]!);
  }

  /** {@link normalize} for a canonical state to which the machine's journal was added. */
  normalizeMove(words: Int32Array): void {
    const { journal } = this.#machine;
    if (journal.isWide || this.#shifts === null) return this.normalize(words);
    if (this.#hasAdvanced) this.#shift(words);
    for (let i = 0; i < journal.length; i++) {
      if (this.#isParity[journal.words[i]!] === 1) foldPhase(words, journal.words[i]!);
    }
  }

  #shift(words: Int32Array): void {
    const shifts = this.#shifts ?? this.#plan();
    this.#hasAdvanced = false;
    for (let i = 0; i < shifts.length; i++) {
      const { registers, phases, period } = shifts[i]!;
      let least = words[registers[0]!]!;
      for (let r = 1; r < registers.length; r++) least = Math.min(least, words[registers[r]!]!);
      if (least < period) continue;
      const { journal } = this.#machine;
      const laps = Math.floor(least / period);
      for (let r = 0; r < registers.length; r++) {
        journal.note(registers[r]!);
        words[registers[r]!]! -= laps * period;
      }
      for (let p = 0; p < phases.length; p++) {
        journal.note(phases[p]!);
        words[phases[p]!]! -= 2 * laps;
      }
    }
  }

  #plan(): RingShift[] {
    const { rings, barriers } = this.#program.declarations;
    const { ctas } = this.#program;
    const phaseWord = (barrier: number): number =>
      this.#machine.layout.barriers + barrier * BARRIER_WORDS + K;
    const shifts: RingShift[] = [];
    /** By physical barrier: waited for by phase, absolutely or through a register. */
    const isPhased = this.#absolute.slice();
    for (let ring = 0; ring < rings.length; ring++) {
      // R09: copies of a ring share its barriers, so that all their registers fall together.
      if (rings[ring]!.group !== ring) continue;
      for (let cta = 0; cta < ctas; cta++) {
        const { stages } = rings[ring]!;
        const registers: number[] = [];
        const ids = new Set<number>();
        this.#eachRegister(ring, cta, (word, side) => {
          if (this.#uses[word] === 0) return;
          registers.push(word);
          if (this.#uses[word] !== Use.awaits) return;
          const awaited = side === Side.consume ? rings[ring]!.full : rings[ring]!.empty;
          for (const id of awaited) ids.add(physical(this.#machine.shape, id, cta));
        });
        for (const id of ids) isPhased[id] = 1;
        if (registers.length === 0 || [...ids].some((id) => this.#absolute[id] === 1)) continue;
        shifts.push({ registers, phases: [...ids].map(phaseWord), period: 2 * stages });
      }
    }
    this.#parityWords = Array.from({ length: barriers.length * ctas }, (_, barrier) => barrier)
      .filter((barrier) => isPhased[barrier] === 0)
      .map(phaseWord);
    this.#isParity = new Uint8Array(this.#machine.layout.flights);
    for (const word of this.#parityWords) this.#isParity[word] = 1;
    this.#shifts = shifts;
    return shifts;
  }

  #grow(): void {
    this.hasGrown = true;
    this.generation++;
    this.#shifts = null;
  }

  /** The registers of a ring and of its copies, in one CTA. */
  #eachRegister(group: number, cta: number, visit: (word: number, side: Side) => void): void {
    const { roles, declarations } = this.#program;
    for (const [ring, { group: own }] of declarations.rings.entries()) {
      if (own !== group) continue;
      for (let role = 0; role < roles.length; role++) {
        if (roles[role]!.cta !== cta) continue;
        visit(this.#registerWord(role, ring, Side.produce), Side.produce);
        visit(this.#registerWord(role, ring, Side.consume), Side.consume);
      }
      visit(this.#layout.claims + ring * this.#program.ctas + cta, Side.consume);
    }
  }

  #registerWord(role: number, ring: number, side: number): number {
    return this.#first + (role * this.#rings + ring) * 2 + side;
  }

  /** The word of the register that an instruction names; it is in that use from now on. */
  #word(instruction: Instruction, use: number = Use.counts): number {
    const { role, target, side, cta, kind } = instruction;
    const word =
      kind === OpKind.tryClaim
        ? this.#layout.claims + target * this.#program.ctas + cta
        : this.#registerWord(role, target, side);
    if ((this.#uses[word]! & use) !== use) {
      this.#uses[word]! |= use;
      this.#grow();
    }
    return word;
  }
}

/** A completed phase stays completed, whichever it is. */
function foldPhase(words: Int32Array, at: number): void {
  if (words[at]! > 2) words[at] = 1 + ((words[at]! - 1) & 1);
}

/** The registers and phases of one ring in one CTA, and how many stages a double lap has. */
interface RingShift {
  readonly registers: readonly number[];
  readonly phases: readonly number[];
  readonly period: number;
}
