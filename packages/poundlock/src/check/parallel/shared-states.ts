// The visited states of all threads: one hash table that is filled without a lock.
import type { Packing } from '../packing.ts';
import { Control, endFor, Ending } from './control.ts';

/** Words before a packed state: its hash, its parent's offset, the move, its number. */
const HASH = 0;
const PARENT = 1;
const MOVE = 2;
const NUMBER = 3;
const HEADER_WORDS = 4;
/** The number of a state before it has one: greater than all. */
const NOT_QUEUED = 0x7fffffff;
/** Words of the arena that a thread takes at one time. */
const BLOCK_WORDS = 1 << 14;
/** States that a thread finds before it publishes them. */
const BATCH = 128;
/** The table has so many slots for each state there is room for, at least. */
const SLOTS_PER_STATE = 2;

/** What all threads read and write. */
export interface SharedBuffers {
  readonly control: SharedArrayBuffer;
  readonly log: SharedArrayBuffer;
  readonly slots: SharedArrayBuffer;
  readonly arena: SharedArrayBuffer;
  readonly queue: SharedArrayBuffer;
}

/** Room for so many states of `words` packed words; memory is taken as it is used. */
export function makeBuffers(
  { control, log }: Pick<SharedBuffers, 'control' | 'log'>,
  states: number,
  words: number,
  members: number,
): SharedBuffers {
  const slots = 2 ** Math.ceil(Math.log2(states * SLOTS_PER_STATE));
  const arena = states * (HEADER_WORDS + words) + members * BLOCK_WORDS;
  return {
    control,
    log,
    slots: new SharedArrayBuffer(slots * 4),
    arena: new SharedArrayBuffer(arena * 4),
    queue: new SharedArrayBuffer((states + members * BATCH) * 4),
  };
}

/** One thread's view of the states. Offset 0 is no state. */
export class SharedStates {
  readonly control: Int32Array;
  readonly #slots: Int32Array;
  readonly #arena: Int32Array;
  readonly #queue: Int32Array;
  readonly #packing: Packing;
  readonly #maxStates: number;
  /** The block that this thread writes to. */
  #free = 0;
  #blockEnd = 0;
  readonly #found = new Int32Array(BATCH);
  #foundCount = 0;
  /** Whether the last {@link add} met a new state. */
  isNew = false;

  constructor(buffers: SharedBuffers, packing: Packing, maxStates: number) {
    this.control = new Int32Array(buffers.control);
    this.#slots = new Int32Array(buffers.slots);
    this.#arena = new Int32Array(buffers.arena);
    this.#queue = new Int32Array(buffers.queue);
    this.#packing = packing;
    this.#maxStates = maxStates;
  }

  /** The offset of the state with a number; numbers are the places in the queue. */
  at(number: number): number {
    return this.#queue[number]!;
  }

  numberOf(offset: number): number {
    return this.#arena[offset + NUMBER]!;
  }

  /** Reads a state into `words`, and into `copy` as well. */
  read(offset: number, words: Int32Array, copy: Int32Array): void {
    this.#packing.read(this.#arena, offset + HEADER_WORDS, words, copy);
  }

  /** The moves from the initial state to the one at `offset`. */
  pathTo(offset: number): number[] {
    const path: number[] = [];
    for (let at = offset; this.#arena[at + PARENT] !== 0; at = this.#arena[at + PARENT]!) {
      path.push(this.#arena[at + MOVE]!);
    }
    return path.reverse();
  }

  /**
   * The offset of the state that was packed last; that of a new one, which `parent` and `move` led
   * to, if it was not stored before. 0 when there is no room: then the search is ending.
   */
  add(parent: number, move: number): number {
    const { hash } = this.#packing;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let own = 0;
    let slot = hash & mask;
    for (;;) {
      let offset = Atomics.load(slots, slot);
      if (offset === 0) {
        if (own === 0 && (own = this.#write(parent, move)) === 0) return 0;
        // The writes above are visible to each thread that reads the slot.
        offset = Atomics.compareExchange(slots, slot, 0, own);
        if (offset === 0) return this.#keep(own);
      }
      if (this.#arena[offset + HASH] === hash && this.#equals(offset + HEADER_WORDS)) {
        this.isNew = false;
        return offset;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** The offset of the state that was packed last, which is there. */
  find(): number {
    const { hash } = this.#packing;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const offset = this.#slots[slot]!;
      if (offset === 0) return 0;
      if (this.#arena[offset + HASH] === hash && this.#equals(offset + HEADER_WORDS)) return offset;
      slot = (slot + 1) & mask;
    }
  }

  /** Puts what this thread has found into the queue. */
  flush(): void {
    if (this.#foundCount === 0) return;
    const first = Atomics.add(this.control, Control.queueEnd, this.#foundCount);
    if (first + this.#foundCount > this.#queue.length) return endFor(this.control, Ending.full);
    for (let i = 0; i < this.#foundCount; i++) {
      const offset = this.#found[i]!;
      this.#queue[first + i] = offset;
      this.#arena[offset + NUMBER] = first + i;
    }
    const states = first + this.#foundCount;
    this.#foundCount = 0;
    if (states > this.#maxStates) endFor(this.control, Ending.maxStates);
    else if (states * SLOTS_PER_STATE > this.#slots.length) endFor(this.control, Ending.full);
  }

  #keep(offset: number): number {
    this.#free = offset + HEADER_WORDS + this.#packing.length;
    this.isNew = true;
    this.#found[this.#foundCount++] = offset;
    if (this.#foundCount === BATCH) this.flush();
    return offset;
  }

  #write(parent: number, move: number): number {
    const { packed, length, hash } = this.#packing;
    const words = HEADER_WORDS + length;
    if (this.#free + words > this.#blockEnd) {
      const taken = Math.max(BLOCK_WORDS, words);
      const from = Atomics.add(this.control, Control.arenaEnd, taken);
      if (from + taken > this.#arena.length) {
        endFor(this.control, Ending.full);
        return 0;
      }
      // Offset 0 is no state.
      this.#free = Math.max(1, from);
      this.#blockEnd = from + taken;
      if (from === 0 && words === taken) return this.#write(parent, move);
    }
    const arena = this.#arena;
    const at = this.#free;
    arena[at + HASH] = hash;
    arena[at + PARENT] = parent;
    arena[at + MOVE] = move;
    arena[at + NUMBER] = NOT_QUEUED;
    for (let i = 0; i < length; i++) arena[at + HEADER_WORDS + i] = packed[i]!;
    return at;
  }

  /** A packed state contains its own length, so the words of the new one decide. */
  #equals(at: number): boolean {
    const { packed, length } = this.#packing;
    for (let i = 0; i < length; i++) if (packed[i] !== this.#arena[at + i]) return false;
    return true;
  }
}
