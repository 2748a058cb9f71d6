// Volatile and relaxed loads of shared memory do not race with such stores, nor with atomic
// accesses: what one finds is a fact only where no other warp writes the word without a barrier
// between.
import type { Warp } from '../warp/warp.ts';
import type { SharedMemory } from './shared-memory.ts';

const WORD = 4;
/** Makes one number of a warp and an instruction. */
const INSTRUCTIONS = 2 ** 24;
/** Above all numbers of writes whose order does not matter. */
const ORDERED = 2 ** 33;
/** Stands for several warps whose writes no barrier orders. */
const SEVERAL = 0xffff;

/** The words that an access touches. */
interface Words {
  readonly address: number;
  readonly bytes: number;
}

function firstWord({ address }: Words): number {
  return address - (address % WORD);
}

/** What such loads found, as far as it was taken for known. */
export class StrongLoads {
  /** Loads that find other values in other orders. */
  readonly varying: Set<number>;
  readonly #memory: SharedMemory;
  /** By word: how many barriers a warp had passed as an instruction of it loaded the word. */
  readonly #found = new Map<number, Map<number, number>>();

  constructor(memory: SharedMemory, varying: Iterable<number>) {
    this.#memory = memory;
    this.varying = new Set(varying);
  }

  /** Whether a load finds one value in each order, as far as the run shows it. */
  finds(warp: Warp, words: Words, isPlain: boolean): boolean {
    const end = words.address + words.bytes;
    const { counter } = warp.stack;
    if (!isPlain && this.varying.has(counter)) return false;
    for (let word = firstWord(words); word < end; word += WORD) {
      const last = this.#memory.orderedWrite(word);
      if (last === null) continue;
      if (last.writer === SEVERAL) return false;
      const isOwn = last.writer === warp.number;
      if (!isPlain && !isOwn && !isOrdered(warp, last.writer, last.meetings)) return false;
    }
    if (!isPlain) this.#note(warp, words);
    return true;
  }

  #note(warp: Warp, words: Words): void {
    const end = words.address + words.bytes;
    const key = warp.number * INSTRUCTIONS + warp.stack.counter;
    for (let word = firstWord(words); word < end; word += WORD) {
      const found = this.#found.get(word) ?? new Map<number, number>();
      this.#found.set(word, found.set(key, warp.meetings));
    }
  }

  /**
   * A volatile or atomic access writes; `kind` is equal for writes whose order does not matter, and
   * `null` for one whose order does.
   */
  writes(warp: Warp, words: Words, kind: number | null): void {
    const end = words.address + words.bytes;
    const effect = kind ?? ORDERED + warp.machine.fresh();
    const own = { writer: warp.number, meetings: warp.meetings, effect };
    for (let word = firstWord(words); word < end; word += WORD) {
      const last = this.#memory.orderedWrite(word);
      const isMixed =
        last !== null &&
        last.writer !== warp.number &&
        last.effect !== effect &&
        !isOrdered(warp, last.writer, last.meetings);
      this.#memory.setOrderedWrite(word, isMixed ? { ...own, writer: SEVERAL } : own);
      for (const [key, meetings] of this.#found.get(word) ?? []) {
        const reader = Math.floor(key / INSTRUCTIONS);
        const isApart = reader !== warp.number && !isOrdered(warp, reader, meetings);
        if (isApart) this.varying.add(key % INSTRUCTIONS);
      }
    }
  }

  /** A plain store writes. */
  overwrites(words: Words): void {
    if (!this.#memory.isOrdered) return;
    const end = words.address + words.bytes;
    for (let word = firstWord(words); word < end; word += WORD)
      this.#memory.setOrderedWrite(word, null);
  }
}

/** Whether what another warp did after so many barriers of its CTA is before what one does now. */
function isOrdered({ machine, cta, meetings }: Warp, other: number, before: number): boolean {
  return machine.warps[other - 1]?.cta === cta && before < meetings;
}
