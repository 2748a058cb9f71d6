// Pauses before a role looks which stages are ready. A look takes the cache line of the barriers
// from the peer that is about to write it, so looking after every tile slows both roles down; after
// a short pause one look finds several stages.

/** The most pause instructions before a look: about 1 µs. */
const MOST_RESTS = 32;
/** Looks that find too few stages after the longest pause, before the peer counts as slow. */
const MAX_FUTILE_LOOKS = 64;
/** Looks without a pause after that: at first and at most; multiplied by four each time. */
const FIRST_PAUSE = 4096;
const LAST_PAUSE = 1 << 20;

/** For engines without Atomics.pause: no operation. */
const { pause = () => {} } = Atomics as { readonly pause?: () => void };

/** The pauses of one role before its looks at one side of one ring. */
export class Pacing {
  /** Stages that are enough for one look: half a ring, which leaves the peer the other half. */
  readonly #enough: number;
  #rests = 0;
  #futileLooks = 0;
  /** Whether pauses can help at all. */
  readonly #mayRest: boolean;
  /** Remaining looks without a pause. */
  #left = 0;
  #pause = FIRST_PAUSE;

  /** `spins`: whether the peer has a CPU of its own; if not, a pause would only delay it. */
  constructor(stages: number, spins: boolean) {
    this.#enough = stages >> 1;
    this.#mayRest = spins && this.#enough > 1;
  }

  /** The number of pause instructions before the next look. */
  get rests(): number {
    return this.#rests;
  }

  rest(): void {
    for (let rests = this.#rests; rests > 0; rests--) pause();
  }

  /** Adapts to a look that found `stages`; `toEnd`: up to the ring's end, where looks stop. */
  found(stages: number, toEnd: boolean): void {
    if (!this.#mayRest) return;
    if (this.#left > 0) {
      this.#left--;
    } else if (stages >= this.#enough) {
      if (this.#rests === 0) return;
      this.#rests--;
      this.#futileLooks = 0;
      this.#pause = FIRST_PAUSE;
    } else if (toEnd) {
      return;
    } else if (this.#rests < MOST_RESTS) {
      this.#rests++;
    } else if (++this.#futileLooks === MAX_FUTILE_LOOKS) {
      this.#futileLooks = 0;
      this.#rests = 0;
      this.#left = this.#pause;
      this.#pause = Math.min(this.#pause * 4, LAST_PAUSE);
    }
  }
}
