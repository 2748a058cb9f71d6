// Packs a state into few words: every changing word gets just the bits that its values need.
import type { Machine } from '@poundlock/core/internal/machine';
import { copyState } from '@poundlock/core/internal/system';
import { LearnedRanges } from './ranges.ts';

const LANE_BITS = 32;
/** A word of the state inside the packed form. */
interface Field {
  readonly word: number;
  readonly bits: number;
}

/**
 * How a state is packed. Which words change and how far is learned from states; a state that does
 * not fit is packed wrong, but sets {@link hasGrown}: everything packed before is stale then, and
 * the next packing has room for it.
 */
export class Packing {
  readonly #machine: Machine;
  readonly #flightsAt: number;
  readonly #ranges: LearnedRanges;
  /** By word: what is taken off its value, and how many zero bits at its end. */
  readonly #least: Int32Array;
  readonly #zeros: Int32Array;
  /** By word: its lane, and the bits and the shift inside it; no bits for a constant word. */
  readonly #laneOf: Int32Array;
  readonly #bitsOf: Int32Array;
  readonly #shiftOf: Int32Array;
  /** The words that change, lane by lane, and where each lane's begin. */
  #words = new Int32Array(0);
  #starts = new Int32Array(1);
  /** The lanes of the state that was read last. */
  #base = new Int32Array(0);
  /** The array that has them unpacked still, with its copy. */
  #held: Int32Array | null = null;
  hasGrown = false;
  /** How often it was planned anew: what was packed under another number is stale. */
  generation = 0;
  /** The state that was packed last: its first {@link length} words are meant. */
  packed = new Int32Array(0);
  length = 0;
  /** A hash of it. */
  hash = 0;

  constructor(machine: Machine, initial: Int32Array) {
    const { flights } = machine.layout;
    this.#machine = machine;
    this.#flightsAt = flights;
    this.#ranges = new LearnedRanges(machine, initial);
    this.#least = new Int32Array(flights);
    this.#zeros = new Int32Array(flights);
    this.#laneOf = new Int32Array(flights);
    this.#bitsOf = new Int32Array(flights);
    this.#shiftOf = new Int32Array(flights);
    this.#plan();
    this.hasGrown = false;
  }

  /** Sees the values of a state, which {@link settle} makes room for. */
  see(words: Int32Array): void {
    this.#ranges.see(words);
  }

  /** Plans for the values that were seen. */
  settle(): void {
    this.#plan();
  }

  acceptGrowth(): void {
    this.hasGrown = false;
    this.#held = null;
  }

  /** Makes `to` equal to `from` again, from which it differs by what the journal says. */
  restore(from: Int32Array, to: Int32Array): void {
    const { journal } = this.#machine;
    if (journal.isWide) return copyState(this.#machine, from, to);
    for (let i = 0; i < journal.length; i++) {
      const word = journal.words[i]!;
      to[word] = from[word]!;
    }
    if (journal.hasFlights) this.#machine.openFlights.copy(from, to);
  }

  /** Packs a state. */
  write(words: Int32Array): void {
    const lanes = this.#starts.length - 1;
    let misfit = 0;
    for (let at = 0; at < this.#flightsAt; at++) {
      misfit |= this.#valueOf(words, at) >>> this.#bitsOf[at]!;
    }
    for (let lane = 0; lane < lanes; lane++) {
      let value = 0;
      const last = this.#starts[lane + 1]!;
      for (let i = this.#starts[lane]!; i < last; i++) {
        const word = this.#words[i]!;
        value |= this.#valueOf(words, word) << this.#shiftOf[word]!;
      }
      this.packed[lane] = value;
    }
    this.#finish(words, lanes, misfit);
  }

  /** What is packed of a word. Bits that it should not have at its end come up at its top. */
  #valueOf(words: Int32Array, word: number): number {
    const value = words[word]! - this.#least[word]!;
    const zeros = this.#zeros[word]!;
    return (value >>> zeros) | (value << (LANE_BITS - zeros));
  }

  /** Packs a state that differs from the one that was read last by what the journal says. */
  writeMove(words: Int32Array): void {
    const { journal } = this.#machine;
    if (journal.isWide) return this.write(words);
    const { packed } = this;
    const [base, laneOf] = [this.#base, this.#laneOf];
    const [bitsOf, shiftOf] = [this.#bitsOf, this.#shiftOf];
    const lanes = base.length;
    for (let lane = 0; lane < lanes; lane++) packed[lane] = base[lane]!;
    let misfit = 0;
    for (let i = 0; i < journal.length; i++) {
      const word = journal.words[i]!;
      const bits = bitsOf[word]!;
      const value = this.#valueOf(words, word);
      misfit |= value >>> bits;
      if (bits === 0) continue;
      const lane = laneOf[word]!;
      const shift = shiftOf[word]!;
      const mask = ((1 << bits) - 1) << shift;
      packed[lane] = (packed[lane]! & ~mask) | (value << shift);
    }
    this.#finish(words, lanes, misfit);
  }

  /** Appends the flights behind the lanes, and hashes. */
  #finish(words: Int32Array, lanes: number, misfit: number): void {
    const open = this.#machine.openFlights;
    this.#makeRoom(lanes + 1 + open.count(words));
    const { packed } = this;
    const length = open.pack(words, packed, lanes);
    let hash = 0;
    for (let at = 0; at < length; at++) hash = mix(hash, packed[at]!);
    if (misfit !== 0) {
      this.#ranges.outgrow(words);
      this.#plan();
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
    this.hash = hash ^ (hash >>> 15);
    this.length = length;
  }

  #makeRoom(words: number): void {
    if (words <= this.packed.length) return;
    const larger = new Int32Array(words * 2);
    larger.set(this.packed);
    this.packed = larger;
  }

  /**
   * Unpacks a state into `words`, and into `copy` as well; constant words must have their values
   * there already. Who reads into two arrays leaves both as they are, or puts back what a move
   * changed ({@link restore}), until the next read: lanes that are equal need not be unpacked.
   */
  read(packed: Int32Array, from: number, words: Int32Array, copy: Int32Array = words): void {
    const lanes = this.#base.length;
    const [base, starts, order, least] = [this.#base, this.#starts, this.#words, this.#least];
    const [bitsOf, shiftOf, zeros] = [this.#bitsOf, this.#shiftOf, this.#zeros];
    const isHeld = copy !== words && this.#held === words;
    this.#held = copy === words ? null : words;
    let i = 0;
    for (let lane = 0; lane < lanes; lane++) {
      const packedLane = packed[from + lane]!;
      if (isHeld && packedLane === base[lane]) {
        i = starts[lane + 1]!;
        continue;
      }
      base[lane] = packedLane;
      for (const last = starts[lane + 1]!; i < last; i++) {
        const word = order[i]!;
        const above = LANE_BITS - bitsOf[word]!;
        const field = (packedLane << (above - shiftOf[word]!)) >>> above;
        const value = (field << zeros[word]!) + least[word]!;
        words[word] = value;
        copy[word] = value;
      }
    }
    const open = this.#machine.openFlights;
    open.unpack(packed, from + lanes, words);
    if (copy !== words) open.copy(words, copy);
  }

  /** Gives every changing word its bits, and the fields their lanes: wide ones first. */
  #plan(): void {
    const fields: Field[] = [];
    for (let word = 0; word < this.#flightsAt; word++) {
      const { least, zeros, bits } = this.#ranges.room(word);
      this.#least[word] = least;
      this.#zeros[word] = zeros;
      this.#bitsOf[word] = bits;
      if (bits > 0) fields.push({ word, bits });
    }
    const lanes = inLanes(fields);
    this.#words = Int32Array.from(lanes.flat(), ({ word }) => word);
    this.#starts = new Int32Array(lanes.length + 1);
    lanes.forEach((lane, index) => {
      this.#starts[index + 1] = this.#starts[index]! + lane.length;
      let shift = 0;
      for (const { word, bits } of lane) {
        this.#laneOf[word] = index;
        this.#bitsOf[word] = bits;
        this.#shiftOf[word] = shift;
        shift += bits;
      }
    });
    this.#base = new Int32Array(lanes.length);
    this.#held = null;
    this.#makeRoom(lanes.length + 1);
    this.hasGrown = true;
    this.generation++;
  }
}

/** First fit, wide fields first: the fields of every lane. */
function inLanes(fields: readonly Field[]): Field[][] {
  const lanes: { used: number; fields: Field[] }[] = [];
  for (const field of fields.toSorted((a, b) => b.bits - a.bits)) {
    let lane = lanes.find(({ used }) => used + field.bits <= LANE_BITS);
    if (lane === undefined) lanes.push((lane = { used: 0, fields: [] }));
    lane.used += field.bits;
    lane.fields.push(field);
  }
  return lanes.map((lane) => lane.fields);
}

/** One multiplication a lane, and a rotation so that high bits come down; avalanched at the end. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return (mixed << 15) | (mixed >>> 17);
}
