// What values the words of a state have, learned from states: how many bits a packed word needs.
import { BARRIER_WORDS, K, type Machine } from '@poundlock/core/internal/machine';

const WORD_BITS = 32;
/** Extra bits for words that count steps: a search sees more of them than a sample run. */
const STEP_HEADROOM = 2;
/** Extra bits for other words that count: in a search the distances between roles are larger. A
 * word that outgrows its field gets them, too: each time a search has to restart. */
const COUNT_HEADROOM = 1;

/** Room for a word: the multiples of 2^`zeros` from `least` on that fit into `bits`. */
export interface Room {
  readonly least: number;
  readonly zeros: number;
  readonly bits: number;
}

/** The values of every word but those of flights. */
export class LearnedRanges {
  readonly #machine: Machine;
  readonly #least: Int32Array;
  readonly #greatest: Int32Array;
  /** All bits that some value has: bytes come in multiples of a power of two. */
  readonly #bits: Int32Array;
  /** Extra bits. */
  readonly #headroom: Int32Array;

  constructor(machine: Machine, initial: Int32Array) {
    const { layout, shape } = machine;
    const { flights } = layout;
    this.#machine = machine;
    this.#least = new Int32Array(flights);
    this.#greatest = new Int32Array(flights);
    this.#bits = new Int32Array(flights);
    this.#headroom = new Int32Array(flights);
    const roles = shape.roleCtas.length;
    this.#headroom.fill(STEP_HEADROOM, 0, roles);
    this.#headroom.fill(COUNT_HEADROOM, roles, layout.barriers);
    for (let word = layout.barriers + K; word < layout.cells; word += BARRIER_WORDS) {
      this.#headroom[word] = COUNT_HEADROOM;
    }
    this.#least.set(initial.subarray(0, flights));
    this.#greatest.set(this.#least);
    this.#bits.set(this.#least);
    // However short a sample run is, the roles of a CTA end, and one of them may end it.
    for (let cta = 0; cta < shape.ctas; cta++) {
      this.#widen(layout.ctas + cta * 2, 1);
      this.#widen(layout.ctas + cta * 2 + 1, 0);
      this.#bits[layout.ctas + cta * 2 + 1]! |= 1;
    }
  }

  /** Learns the values of a state. */
  see(words: Int32Array): void {
    for (let word = 0; word < this.#least.length; word++) this.#widen(word, words[word]!);
  }

  /** Learns the values of a state that did not fit into the room there was. */
  outgrow(words: Int32Array): void {
    const { layout } = this.#machine;
    for (let word = 0; word < this.#least.length; word++) {
      const value = words[word]!;
      const isOutside = value < this.#least[word]! || value > this.#greatest[word]!;
      if (isOutside) this.#headroom[word] = Math.max(this.#headroom[word]!, COUNT_HEADROOM);
    }
    this.see(words);
    // Barriers of a ring go through the same phases, some of them later.
    const phases: number[] = [];
    for (let word = layout.barriers + K; word < layout.cells; word += BARRIER_WORDS) {
      if (this.#least[word] !== this.#greatest[word]) phases.push(word);
    }
    const least = Math.min(...phases.map((word) => this.#least[word]!));
    const greatest = Math.max(...phases.map((word) => this.#greatest[word]!));
    for (const word of phases) {
      this.#widen(word, least);
      this.#widen(word, greatest);
    }
  }

  room(word: number): Room {
    const least = this.#least[word]!;
    const range = this.#greatest[word]! - least;
    if (range === 0) return { least, zeros: 0, bits: 0 };
    const lowest = this.#bits[word]! & -this.#bits[word]!;
    const zeros = WORD_BITS - 1 - Math.clz32(lowest);
    const needed = WORD_BITS - Math.clz32(range >>> zeros) + this.#headroom[word]!;
    // 31 bits at most: a shift by 32 would be none. Values of a state never need more.
    return { least, zeros, bits: Math.min(WORD_BITS - 1 - zeros, needed) };
  }

  #widen(word: number, value: number): void {
    this.#least[word] = Math.min(value, this.#least[word]!);
    this.#greatest[word] = Math.max(value, this.#greatest[word]!);
    this.#bits[word]! |= value;
  }
}
