// Random numbers from a seed, the same on every machine (xorshift32).

export class Random {
  #state: number;

  constructor(seed: number) {
    // Mixes the seed, so that neighbouring seeds start far apart; zero is no state.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1;
  }

  /** A number above 0 and below 1. */
  next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return ((state >>> 0) + 0.5) / 4294967296;
  }
}
