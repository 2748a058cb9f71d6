// Packs a state into few bytes: only words that ever change, as variable-length integers.
import { BARRIER_WORDS, E, type Machine } from '../machine/index.ts';

/**
 * Which words of a state are kept. Words that never differ from the initial state are left out;
 * when one of them changes after all, {@link hasGrown} says that earlier bytes are stale.
 */
export class Packing {
  readonly #machine: Machine;
  readonly #initial: Int32Array;
  readonly #flightsAt: number;
  #kept: Int32Array;
  /** Words that never changed yet: those any operation can write, and the machine's rare ones. */
  #constant!: Int32Array;
  #rare!: Int32Array;
  hasGrown = false;
  /** A hash of the last state that was packed. */
  hash = 0;

  constructor(machine: Machine, initial: Int32Array) {
    this.#machine = machine;
    this.#flightsAt = machine.layout.flights;
    this.#initial = initial.slice(0, this.#flightsAt);
    this.#kept = new Int32Array(0);
    this.#split(new Set());
  }

  #split(kept: ReadonlySet<number>): void {
    const { barriers, cells } = this.#machine.layout;
    const isRare = (at: number): boolean =>
      at >= cells || (at >= barriers && (at - barriers) % BARRIER_WORDS === E);
    const all = Int32Array.from({ length: this.#flightsAt }, (_, at) => at);
    this.#kept = all.filter((at) => kept.has(at));
    this.#constant = all.filter((at) => !kept.has(at) && !isRare(at));
    this.#rare = all.filter((at) => !kept.has(at) && isRare(at));
  }

  /** Learns which words of a state differ from the initial ones. */
  learn(words: Int32Array): void {
    this.#machine.hasRareWrite = false;
    let grown: Set<number> | null = null;
    for (const list of [this.#constant, this.#rare]) {
      for (let i = 0; i < list.length; i++) {
        const at = list[i]!;
        if (words[at] === this.#initial[at]) continue;
        grown ??= new Set(this.#kept);
        grown.add(at);
      }
    }
    if (grown === null) return;
    this.#split(grown);
    this.hasGrown = true;
  }

  /** Copies a state of which only kept words can differ. */
  copy(from: Int32Array, to: Int32Array): void {
    const kept = this.#kept;
    for (let i = 0; i < kept.length; i++) to[kept[i]!] = from[kept[i]!]!;
    const flights = this.#flightsAt;
    const last = flights + from[flights]!;
    const stale = flights + to[flights]!;
    for (let i = flights; i <= last; i++) to[i] = from[i]!;
    for (let i = last + 1; i <= stale; i++) to[i] = 0;
  }

  acceptGrowth(): void {
    this.hasGrown = false;
  }

  /** The most bytes that a state can take. */
  worstBytes(words: Int32Array): number {
    return 5 * (this.#kept.length + 1 + words[this.#flightsAt]!);
  }

  /** Writes a state from `at` on, and returns where it ends. */
  write(words: Int32Array, bytes: Uint8Array, at: number): number {
    if (this.#machine.hasRareWrite) this.learn(words);
    const initial = this.#initial;
    const constant = this.#constant;
    for (let i = 0; i < constant.length; i++) {
      const word = constant[i]!;
      if (words[word] !== initial[word]) {
        this.learn(words);
        break;
      }
    }
    const kept = this.#kept;
    let hash = 0;
    for (let i = 0; i < kept.length; i++) {
      const value = words[kept[i]!]!;
      hash = mix(hash, value);
      let rest = (value << 1) ^ (value >> 31);
      while (rest >>> 0 > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
    const flights = this.#flightsAt;
    const last = flights + words[flights]!;
    for (let i = flights; i <= last; i++) {
      let rest = words[i]!;
      hash = mix(hash, rest);
      while (rest > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
    hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
    this.hash = hash ^ (hash >>> 15);
    return at;
  }

  /** Reads a state back into `words`. */
  read(bytes: Uint8Array, from: number, words: Int32Array): void {
    let at = from;
    const kept = this.#kept;
    for (let i = 0; i < kept.length; i++) {
      let byte = bytes[at++]!;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 127) << shift;
      }
      words[kept[i]!] = (value >>> 1) ^ -(value & 1);
    }
    const flights = this.#flightsAt;
    const stale = words[flights]!;
    let count = 0;
    for (let i = 0; i <= count; i++) {
      let byte = bytes[at++]!;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 127) << shift;
      }
      if (i === 0) count = value;
      words[flights + i] = value;
    }
    for (let i = count + 1; i <= stale; i++) words[flights + i] = 0;
  }
}

/** One multiplication a word, and a rotation so that high bits come down; avalanched at the end. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return (mixed << 15) | (mixed >>> 17);
}
