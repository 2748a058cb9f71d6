// Volatile and relaxed loads of shared memory do not race with such stores, nor with atomic
// accesses: what one finds is a fact only where no other warp writes the word without a barrier
// between.
import type { Warp } from '../warp/warp.ts';
import type { Machine } from './machine.ts';
import type { OrderedWrite, SharedMemory } from './shared-memory.ts';

const WORD = 4;
/** Makes one number of a warp and an instruction. */
const INSTRUCTIONS = 2 ** 24;
/** Above all numbers of writes whose order does not matter. */
const ORDERED = 2 ** 33;
/** With the number of a warp: no barrier orders its write and others. */
const AND_OTHERS = 0x8000;
/** The same, where their order matters. */
const IN_SOME_ORDER = 0x4000;
const FLAGS = AND_OTHERS | IN_SOME_ORDER;
/** More barriers than a warp passes: writes of another CTA. */
const NEVER = 0xffff_ffff;

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
      if ((last.writer & IN_SOME_ORDER) !== 0) return false;
      const isOwn = last.writer === warp.number;
      if (!isPlain && !isOwn && !isOrdered(warp, last)) return false;
    }
    if (!isPlain) this.#note(warp, words);
    return true;
  }

  #note(warp: Warp, words: Words): void {
    const end = words.address + words.bytes;
    const key = warp.number * INSTRUCTIONS + warp.stack.counter;
    for (let word = firstWord(words); word < end; word += WORD) {
      const found = this.#found.get(word) ?? new Map<number, number>();
      this.#found.set(word, found.set(key, warp.progress.meetings));
    }
  }

  /**
   * A volatile or atomic access writes; `kind` is equal for writes whose order does not matter, and
   * `null` for one whose order does. `isRepeated`: any number of them is as one.
   */
  writes(warp: Warp, words: Words, kind: number | null, isRepeated: boolean): void {
    const end = words.address + words.bytes;
    const effect = kind ?? ORDERED + warp.machine.fresh();
    for (let word = firstWord(words); word < end; word += WORD) {
      const last = this.#memory.orderedWrite(word);
      const own = { writer: warp.number, meetings: warp.progress.meetings, effect };
      const isApart = last !== null && last.writer !== warp.number && !isOrdered(warp, last);
      const isOne = !isApart || (isRepeated && isAlike(last, own));
      this.#memory.setOrderedWrite(word, isOne ? own : both(warp, last, own));
      for (const [key, meetings] of this.#found.get(word) ?? []) {
        const writer = Math.floor(key / INSTRUCTIONS);
        const isUnordered = writer !== warp.number && !isOrdered(warp, { writer, meetings });
        if (isUnordered) this.varying.add(key % INSTRUCTIONS);
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

/** Whether the order of two writes does not matter. */
function isAlike({ writer, effect }: OrderedWrite, other: OrderedWrite): boolean {
  return (writer & IN_SOME_ORDER) === 0 && effect === other.effect;
}

/** What two writes are that no barrier orders. */
function both({ machine }: Warp, last: OrderedWrite, own: OrderedWrite): OrderedWrite {
  const [one, other] = [last, own].map(({ writer }) => warpOf(machine, writer)?.cta);
  const meetings = one === other ? Math.max(last.meetings, own.meetings) : NEVER;
  const writer = own.writer | AND_OTHERS | (isAlike(last, own) ? 0 : IN_SOME_ORDER);
  return { ...own, writer, meetings };
}

function warpOf({ warps }: Machine, writer: number): Warp | undefined {
  return warps[(writer & ~FLAGS) - 1];
}

/** Whether what warps did after so many barriers of their CTA is before what one does now. */
function isOrdered(
  { machine, cta, progress: { meetings } }: Warp,
  { writer, meetings: before }: Omit<OrderedWrite, 'effect'>,
): boolean {
  return warpOf(machine, writer)?.cta === cta && before < meetings;
}
