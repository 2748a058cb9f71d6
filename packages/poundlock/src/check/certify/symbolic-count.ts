// Symbolic counts: trip counts whose total is decided during the run, item by item.
import type { Instruction } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';

/**
 * Words of each total in the state: how many there are so far, 1 when there are no more, and how
 * many there must still be.
 */
const WORDS = 3;
const LEAD = 0;
const IS_OVER = 1;
const MISSING = 2;

/** The most items that are required before there may be no more: fewer are proved, too. */
const MAX_LEAST = 64;

/**
 * The answer of `more` while the number of items is open. When the role that is furthest needs one
 * more item than there is so far, there is one more, or no more, and both cases are followed.
 * Counts that were declared with one total have one total here, too.
 */
export class SymbolicCounts {
  /** Part of the state. */
  readonly extra: Int32Array;
  /** By count: its total, as a number of those that are open, −1 for one that is known. */
  readonly #totalOf: number[];
  /** By total: the fewest items. */
  readonly #least: number[];
  readonly #base: number;
  /** By role and count: whether it was used, so that the counts decrease together. */
  readonly #used: Uint8Array;
  hasGrown = false;

  /** `base` is where the counts are in the words of a state. */
  constructor(program: Program, base: number) {
    const { counts } = program.declarations;
    const open = counts.filter((count) => count.isAny);
    const totals = [...new Set(open.map((count) => count.total))];
    this.#least = totals.map((total) => {
      const { least } = open.find((count) => count.total === total)!;
      return Math.min(least, MAX_LEAST);
    });
    this.extra = new Int32Array(totals.length * WORDS);
    this.#totalOf = counts.map(({ isAny, total }) => (isAny ? totals.indexOf(total) : -1));
    this.#base = base;
    this.#used = new Uint8Array(program.roles.length * counts.length);
  }

  begin(): void {
    this.extra.fill(0);
    for (const [total, least] of this.#least.entries()) this.extra[total * WORDS + MISSING] = least;
    this.hasGrown = false;
  }

  /** The total that `instruction`, a `more`, depends on; −1 where that is known. */
  total(instruction: Instruction): number {
    return this.#totalOf[instruction.target]!;
  }

  /** 1 and one less to go, 0 when there are no more, −1 while that is not decided. */
  more(words: Int32Array, { role, target }: Instruction): number {
    const slot = role * this.#totalOf.length + target;
    if (this.#used[slot] === 0) {
      this.#used[slot] = 1;
      this.hasGrown = true;
    }
    const had = words[this.#base + slot]!;
    const at = this.#totalOf[target]! * WORDS;
    if (had >= this.extra[at + LEAD]!) return this.extra[at + IS_OVER] === 1 ? 0 : -1;
    words[this.#base + slot] = had + 1;
    return 1;
  }

  /** There is one more tile, or there are no more. */
  decide(total: number, isMore: boolean): void {
    const at = total * WORDS;
    if (!isMore) this.extra[at + IS_OVER] = 1;
    else {
      this.extra[at + LEAD]! += 1;
      if (this.extra[at + MISSING]! > 0) this.extra[at + MISSING]! -= 1;
    }
  }

  /** Whether there may be no more: not before the fewest items. */
  mayEnd(total: number): boolean {
    return this.extra[total * WORDS + MISSING] === 0;
  }

  /** Only the distances between the roles that still act matter. */
  normalize(words: Int32Array, isActing: (role: number) => boolean): void {
    for (let total = 0; total * WORDS < this.extra.length; total++) {
      const lead = total * WORDS + LEAD;
      let least = this.extra[lead]!;
      this.#each(total, words, isActing, (had) => {
        least = Math.min(least, had);
        return had;
      });
      this.extra[lead]! -= least;
      this.#each(total, words, isActing, (had) => had - least);
    }
  }

  #each(
    total: number,
    words: Int32Array,
    isActing: (role: number) => boolean,
    change: (had: number) => number,
  ): void {
    const counts = this.#totalOf.length;
    for (let slot = 0; slot < this.#used.length; slot++) {
      if (this.#used[slot] === 0 || this.#totalOf[slot % counts] !== total) continue;
      const isLive = isActing(Math.floor(slot / counts));
      words[this.#base + slot] = isLive ? change(words[this.#base + slot]!) : 0;
    }
  }
}
