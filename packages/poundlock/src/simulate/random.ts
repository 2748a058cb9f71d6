// Seeded random numbers, the same on every machine (xorshift32).

export class Random {
  #state: number;

  constructor(seed: number) {
    // Mixes the seed, so that consecutive seeds start far apart; zero is not a valid state.
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

/** Cards of a deck: so many consecutive draws are distributed evenly. */
export const CARDS = 64;

/**
 * Draws cards from 0 to {@link CARDS} − 1 in random order, each once before any repeats: short
 * and long latencies occur equally often in short and in long runs.
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
