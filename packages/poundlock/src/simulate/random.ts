// Random numbers from a seed, the same on every machine (xorshift32).

export class Random {
  #state: number;

  constructor(seed: number) {
    // Mixes the seed, so that neighbouring seeds start far apart; zero is no state.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1;
  }

  /** A whole number from 0 to `count` − 1. */
  below(count: number): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return Math.floor((((state >>> 0) + 0.5) / 4294967296) * count);
  }
}

/** How many draws are spread evenly. */
export const CARDS = 64;

/**
 * Cards from 0 to {@link CARDS} − 1, each once before any comes again, in random order: a short run
 * meets short and long latencies as often as a long one does.
 */
export class Deck {
  readonly #random: Random;
  readonly #cards = Uint8Array.from({ length: CARDS }, (_, card) => card);
  #left = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): number {
    if (this.#left === 0) this.#left = CARDS;
    const at = this.#random.below(this.#left);
    const card = this.#cards[at]!;
    this.#left--;
    this.#cards[at] = this.#cards[this.#left]!;
    this.#cards[this.#left] = card;
    return card;
  }
}
