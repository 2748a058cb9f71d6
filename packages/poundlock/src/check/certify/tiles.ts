// Any number of tiles: counts whose total is decided as the run goes by, tile by tile.
import type { Instruction } from '../../machine/index.ts';
import type { Program } from '../../program/index.ts';

const LEAD = 0;
const IS_OVER = 1;

/**
 * The answer of `more` while nobody has said how many tiles there are. The role that is furthest
 * asks for a tile that nobody has had: then there is one more, or no more, and both are followed.
 */
export class Tiles {
  /** How many tiles there are so far, and 1 when there are no more. Part of the state. */
  readonly extra = new Int32Array(2);
  readonly #isAny: boolean[];
  readonly #counts: number;
  readonly #base: number;
  /** By role and count: whether it was asked, so that the counts fall together. */
  readonly #used: Uint8Array;
  hasGrown = false;

  /** `base` is where the counts are in the words of a state. */
  constructor(program: Program, base: number) {
    const { counts } = program.declarations;
    this.#isAny = counts.map((count) => count.isAny);
    this.#counts = counts.length;
    this.#base = base;
    this.#used = new Uint8Array(program.roles.length * counts.length);
  }

  begin(): void {
    this.extra.fill(0);
    this.hasGrown = false;
  }

  /** Whether `instruction` asks for a tile of which there may be any number. */
  isAsked(instruction: Instruction): boolean {
    return this.#isAny[instruction.target]!;
  }

  /** 1 and one less to go, 0 when there are no more, −1 while that is not decided. */
  more(words: Int32Array, { role, target }: Instruction): number {
    const slot = role * this.#counts + target;
    if (this.#used[slot] === 0) {
      this.#used[slot] = 1;
      this.hasGrown = true;
    }
    const had = words[this.#base + slot]!;
    if (had >= this.extra[LEAD]!) return this.extra[IS_OVER] === 1 ? 0 : -1;
    words[this.#base + slot] = had + 1;
    return 1;
  }

  /** There is one more tile, or there are no more. */
  decide(isMore: boolean): void {
    if (isMore) this.extra[LEAD]! += 1;
    else this.extra[IS_OVER] = 1;
  }

  /** Only how far the roles are apart matters, of those that still act. */
  normalise(words: Int32Array, isActing: (role: number) => boolean): void {
    let least = this.extra[LEAD]!;
    this.#each(words, isActing, (had) => {
      least = Math.min(least, had);
      return had;
    });
    this.extra[LEAD]! -= least;
    this.#each(words, isActing, (had) => had - least);
  }

  #each(
    words: Int32Array,
    isActing: (role: number) => boolean,
    change: (had: number) => number,
  ): void {
    for (let slot = 0; slot < this.#used.length; slot++) {
      if (this.#used[slot] === 0 || !this.#isAny[slot % this.#counts]) continue;
      const isLive = isActing(Math.floor(slot / this.#counts));
      words[this.#base + slot] = isLive ? change(words[this.#base + slot]!) : 0;
    }
  }
}
