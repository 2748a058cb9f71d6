// States that were met, as keys of integers: equal keys are one state.
import { BoundError } from '@poundlock/core/internal/base';

/** Most explorations have a few states: the first chunk is small, and each is twice the last. */
const FIRST_CHUNK_WORDS = 1 << 10;
const CHUNK_WORDS = 1 << 20;
/** Keys of all states together take at most 2 GiB (bound `keys`). */
const MAX_CHUNKS = 512;
const FIRST_SLOTS = 1 << 10;

/** Keys by number, in the order in which they came. */
export class KeyStore {
  readonly #chunks: Int32Array[] = [new Int32Array(FIRST_CHUNK_WORDS)];
  #end = 0;
  readonly #chunkOf: number[] = [];
  readonly #startOf: number[] = [];
  readonly #hashes: number[] = [];
  #slots = new Int32Array(FIRST_SLOTS);
  /** Whether the last {@link add} met a new state. */
  isNew = false;

  get size(): number {
    return this.#startOf.length;
  }

  /** The number of the state whose key is the first `length` words of `key`. */
  add(key: Int32Array, length: number): number {
    const hash = hashOf(key, length);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let id = this.#slots[slot]!; id !== 0; id = this.#slots[slot]!) {
      if (this.#hashes[id - 1] === hash && this.#equals(id - 1, key, length)) {
        this.isNew = false;
        return id - 1;
      }
      slot = (slot + 1) & mask;
    }
    this.isNew = true;
    this.#slots[slot] = this.size + 1;
    this.#hashes.push(hash);
    this.#keep(key, length);
    if (this.size * 2 > this.#slots.length) this.#grow();
    return this.size - 1;
  }

  /** The key of a state, with what follows it in its chunk. */
  key(id: number): Int32Array {
    const start = this.#startOf[id]!;
    return this.#chunks[this.#chunkOf[id]!]!.subarray(start + 1);
  }

  #keep(key: Int32Array, length: number): void {
    const chunk = this.#chunkFor(length + 1);
    this.#chunkOf.push(this.#chunks.length - 1);
    this.#startOf.push(this.#end);
    chunk[this.#end] = length;
    for (let i = 0; i < length; i++) chunk[this.#end + 1 + i] = key[i]!;
    this.#end += length + 1;
  }

  /** The last chunk, which has room for so many words. */
  #chunkFor(words: number): Int32Array {
    const last = this.#chunks[this.#chunks.length - 1]!;
    if (this.#end + words <= last.length) return last;
    if (this.#chunks.length >= MAX_CHUNKS || words > CHUNK_WORDS) {
      throw new BoundError('keys', MAX_CHUNKS * CHUNK_WORDS * 4, 'the states need more bytes');
    }
    const wanted = Math.max(words, Math.min(last.length * 2, CHUNK_WORDS));
    const chunk = new Int32Array(wanted);
    this.#chunks.push(chunk);
    this.#end = 0;
    return chunk;
  }

  #equals(id: number, key: Int32Array, length: number): boolean {
    const chunk = this.#chunks[this.#chunkOf[id]!]!;
    const start = this.#startOf[id]!;
    if (chunk[start] !== length) return false;
    for (let i = 0; i < length; i++) if (chunk[start + 1 + i] !== key[i]) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = this.#hashes[id]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = id + 1;
    }
  }
}

function hashOf(key: Int32Array, length: number): number {
  let hash = length;
  for (let i = 0; i < length; i++) {
    hash = Math.imul(hash ^ key[i]!, 0x9e3779b1);
    hash = (hash << 15) | (hash >>> 17);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  return hash ^ (hash >>> 15);
}
