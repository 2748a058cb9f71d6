// The visited states: packed words in chunks, found through a hash table of typed arrays.
import { BoundError } from '@poundlock/core/internal/base';
import type { Packing } from './packing.ts';

const CHUNK_BITS = 22;
const CHUNK_WORDS = 1 << CHUNK_BITS;
const FIRST_CHUNK_WORDS = 1 << 14;
const FIRST_SLOTS = 1 << 12;
/** The table grows when it is this full. */
const MOST_FULL = 0.6;
/** A table of so many words doubles when it grows; smaller ones grow fourfold, to grow seldom. */
const BIG_TABLE = 1 << 20;
/** 16 GiB: more than the offsets of 32 bits could tell apart. */
const MAX_CHUNKS = 1 << (32 - CHUNK_BITS);

/** States by number, in the order in which they were found. */
export class StateStore {
  readonly #packing: Packing;
  readonly #chunks: Int32Array[] = [new Int32Array(FIRST_CHUNK_WORDS)];
  /** Where the next state goes in the last chunk. Offset 0 means an empty slot. */
  #end = 1;
  /** Pairs of a state's offset and its hash, side by side for the cache. */
  #slots = new Int32Array(FIRST_SLOTS * 2);
  #offsets = new Uint32Array(FIRST_SLOTS);
  #size = 0;
  /** Whether the last {@link add} met a new state. */
  isNew = false;

  constructor(packing: Packing) {
    this.#packing = packing;
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes held by the store. */
  get bytes(): number {
    const arrays = [this.#slots, this.#offsets, ...this.#chunks];
    return arrays.reduce((sum, array) => sum + array.byteLength, 0);
  }

  /** The number of the state that was packed last; a new one if it was never met. */
  add(): number {
    const { packed, length, hash } = this.#packing;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let offset = slots[slot]!; offset !== 0; offset = slots[slot]!) {
      if (slots[slot + 1] === hash) {
        const id = this.#idOf(offset >>> 0, packed, length);
        if (id >= 0) {
          this.isNew = false;
          return id;
        }
      }
      slot = (slot + 2) & mask;
    }
    this.isNew = true;
    return this.#append(slot, packed, length, hash);
  }

  #append(slot: number, packed: Int32Array, length: number, hash: number): number {
    this.#makeRoom(length + 1);
    const id = this.#size++;
    if (id >= this.#offsets.length) this.#growStates();
    const last = this.#chunks.length - 1;
    const chunk = this.#chunks[last]!;
    const offset = last * CHUNK_WORDS + this.#end;
    this.#offsets[id] = offset;
    chunk[this.#end++] = id;
    for (let at = 0; at < length; at++) chunk[this.#end++] = packed[at]!;
    this.#slots[slot] = offset;
    this.#slots[slot + 1] = hash;
    if (this.#size > (this.#slots.length >>> 1) * MOST_FULL) this.#growTable();
    return id;
  }

  /** Reads a state into `words`, and into `copy` as well. */
  read(id: number, words: Int32Array, copy: Int32Array = words): void {
    const offset = this.#offsets[id]!;
    const chunk = this.#chunks[offset >>> CHUNK_BITS]!;
    this.#packing.read(chunk, (offset & (CHUNK_WORDS - 1)) + 1, words, copy);
  }

  /** The number of the state at `offset` if it is this one, else −1. A packed state contains its
   * length, so the words of the new one decide. */
  #idOf(offset: number, packed: Int32Array, length: number): number {
    const chunk = this.#chunks[offset >>> CHUNK_BITS]!;
    const at = offset & (CHUNK_WORDS - 1);
    for (let i = 0; i < length; i++) if (packed[i] !== chunk[at + 1 + i]) return -1;
    return chunk[at]!;
  }

  #makeRoom(words: number): void {
    const chunk = this.#chunks[this.#chunks.length - 1]!;
    if (chunk.length - this.#end >= words) return;
    if (chunk.length === CHUNK_WORDS) return this.#newChunk();
    // The first chunk grows: most kernels that are searched have few states.
    const larger = new Int32Array(Math.min(CHUNK_WORDS, chunk.length * 4));
    larger.set(chunk);
    this.#chunks[this.#chunks.length - 1] = larger;
    this.#makeRoom(words);
  }

  #newChunk(): void {
    if (this.#chunks.length >= MAX_CHUNKS) {
      throw new BoundError(
        'store',
        MAX_CHUNKS * CHUNK_WORDS * 4,
        'the visited states need more bytes',
      );
    }
    this.#chunks.push(new Int32Array(CHUNK_WORDS));
    this.#end = 0;
  }

  #growStates(): void {
    const length = this.#offsets.length * 2;
    const offsets = new Uint32Array(length);
    offsets.set(this.#offsets);
    this.#offsets = offsets;
  }

  #growTable(): void {
    const before = this.#slots;
    const slots = new Int32Array(before.length * (before.length < BIG_TABLE ? 4 : 2));
    const mask = slots.length - 1;
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] === 0) continue;
      let slot = (before[at + 1]! << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = before[at]!;
      slots[slot + 1] = before[at + 1]!;
    }
    this.#slots = slots;
  }
}
