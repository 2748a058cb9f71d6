// Packs a state into few bytes: only words that ever change, as variable-length integers.
import type { Machine } from '../machine/index.ts';

/**
 * Which words of a state are kept. Words that never differ from the initial state are left out;
 * when one of them changes after all, {@link hasGrown} says that earlier bytes are stale.
 */
export class Packing {
  readonly #initial: Int32Array;
  readonly #flightsAt: number;
  #kept: Int32Array;
  #constant: Int32Array;
  hasGrown = false;
  /** A hash of the last state that was packed. */
  hash = 0;

  constructor(machine: Machine, initial: Int32Array) {
    this.#flightsAt = machine.layout.flights;
    this.#initial = initial.slice(0, this.#flightsAt);
    this.#kept = new Int32Array(0);
    this.#constant = Int32Array.from({ length: this.#flightsAt }, (_, at) => at);
  }

  /** Learns which words of a state differ from the initial ones. */
  learn(words: Int32Array): void {
    const kept = new Set(this.#kept);
    for (const at of this.#constant) if (words[at] !== this.#initial[at]) kept.add(at);
    if (kept.size === this.#kept.length) return;
    this.#kept = Int32Array.from([...kept].toSorted((a, b) => a - b));
    this.#constant = this.#constant.filter((at) => !kept.has(at));
    this.hasGrown = true;
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
    const constant = this.#constant;
    for (let i = 0; i < constant.length; i++) {
      const word = constant[i]!;
      if (words[word] !== this.#initial[word]) this.learn(words);
    }
    const kept = this.#kept;
    const start = at;
    for (let i = 0; i < kept.length; i++) {
      const value = words[kept[i]!]!;
      let rest = (value << 1) ^ (value >> 31);
      while (rest >>> 0 > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
    const last = this.#flightsAt + words[this.#flightsAt]!;
    for (let i = this.#flightsAt; i <= last; i++) {
      let rest = words[i]!;
      while (rest > 127) {
        bytes[at++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[at++] = rest;
    }
    let hash = 0x811c9dc5;
    for (let i = start; i < at; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    this.hash = hash ^ (hash >>> 13);
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
