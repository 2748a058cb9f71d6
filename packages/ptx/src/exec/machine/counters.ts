// Words of shared memory that warps only add to for a while, so that the last of them is known.

/** A while in which a word is only added to. */
interface Count {
  readonly word: number;
  /** What the word held before; `null` if that is unknown data, or others changed it, too. */
  initial: number | null;
}

/** The counts of all words of shared memory. */
export class Counters {
  readonly #counts: Count[] = [];
  /** The count that goes on at each word, by address. */
  readonly #open = new Map<number, number>();
  #isAtomic = false;

  /** Performs an atomic write of a word, which ends no count. */
  #write(write: () => void): void {
    this.#isAtomic = true;
    write();
    this.#isAtomic = false;
  }

  /**
   * Performs an addition of one lane.
   *
   * @returns The number of the count that it belongs to.
   */
  add(word: number, initial: number | null, write: () => void): number {
    let count = this.#open.get(word);
    if (count === undefined) {
      count = this.#counts.push({ word, initial }) - 1;
      this.#open.set(word, count);
    }
    this.#write(write);
    return count;
  }

  /** Performs another atomic access: nothing orders it and the additions. */
  other(word: number, write: () => void): void {
    this.#counts[this.add(word, null, write)]!.initial = null;
  }

  /** Notes that bytes are written by something that is ordered with all atomic accesses. */
  written(from: number, to: number): void {
    if (this.#open.size === 0 || this.#isAtomic) return;
    if (to - from < this.#open.size)
      for (let word = from - 3; word < to; word++) this.#open.delete(word);
    else
      for (const word of this.#open.keys())
        if (from < word + 4 && word < to) this.#open.delete(word);
  }

  /** Whether there has been a count. */
  get isUsed(): boolean {
    return this.#counts.length > 0;
  }

  /** A count by its number. */
  count(index: number): Readonly<Count> {
    return this.#counts[index]!;
  }
}
