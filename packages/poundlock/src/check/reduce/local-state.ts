// The words of a state that belong to one role: its registers and counts, which its way moves on.
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind, Side } from '@poundlock/core/internal/op';
import type { System } from '@poundlock/core/internal/system';

/** Takes the words of a role out of a state and puts them back, and reads its registers there. */
export class LocalState {
  readonly #system: System;
  readonly #ofRings: number;
  readonly #ofCounts: number;
  /** The words that were taken last: two for each ring, and one for each count. */
  readonly values: Int32Array;

  constructor(system: System) {
    const { rings, counts } = system.program.declarations;
    this.#system = system;
    this.#ofRings = rings.length * 2;
    this.#ofCounts = counts.length;
    this.values = new Int32Array(this.#ofRings + this.#ofCounts);
  }

  take(words: Int32Array, role: number): void {
    const registers = this.register(role, 0, 0);
    const counts = this.count(role, 0);
    const ofRings = this.#ofRings;
    for (let i = 0; i < ofRings; i++) this.values[i] = words[registers + i]!;
    for (let i = 0; i < this.#ofCounts; i++) this.values[ofRings + i] = words[counts + i]!;
  }

  /** Writes those that begin at `first` in a list. */
  put(words: Int32Array, role: number, list: Int32Array, first: number): void {
    const registers = this.register(role, 0, 0);
    const counts = this.count(role, 0);
    const ofRings = this.#ofRings;
    for (let i = 0; i < ofRings; i++) words[registers + i] = list[first + i]!;
    for (let i = 0; i < this.#ofCounts; i++) words[counts + i] = list[first + ofRings + i]!;
  }

  /** The word of a count. */
  count(role: number, count: number): number {
    return this.#system.layout.counts + role * this.#ofCounts + count;
  }

  /** The word of a register. */
  register(role: number, ring: number, side: number): number {
    return this.#system.layout.registers + role * this.#ofRings + ring * 2 + side;
  }

  stages(ring: number): number {
    return this.#system.program.declarations.rings[ring]!.stages;
  }

  /** R02: the physical barrier of the stage that is `further` stages after a register. */
  barrierOf(
    words: Int32Array,
    { target, side, cta, kind }: Instruction,
    register: number,
    further: number,
  ): number {
    const { rings } = this.#system.program.declarations;
    const { stages, full, empty } = rings[target]!;
    const stage = (words[register]! + further) % stages;
    const isFull = side === Side.consume || kind === OpKind.tryClaim;
    return (isFull ? full[stage]! : empty[stage]!) * this.#system.program.ctas + cta;
  }

  /** R02: the phase of it that is waited for. */
  phaseOf(
    words: Int32Array,
    { target, side, kind }: Instruction,
    register: number,
    further: number,
  ): number {
    const lap = Math.floor((words[register]! + further) / this.stages(target));
    return side === Side.consume || kind === OpKind.tryClaim ? lap : lap - 1;
  }
}
