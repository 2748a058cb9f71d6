// How long a role rests before it looks which stages are ready. A look takes the barriers' cache
// line from the peer who is about to write there, so that two who look after each tile slow each
// other down; after a short rest a look finds several stages.

/** The most pauses of a rest: about 1 µs. */
const MOST_RESTS = 32;
/** Looks after the longest rests that found too few stages, after which the peer is just slow. */
const MAX_FUTILE_LOOKS = 64;
/** Looks without a rest after that, at first and at most; four times as many each time. */
const FIRST_PAUSE = 4096;
const LAST_PAUSE = 1 << 20;

/** For engines without Atomics.pause: rests that cost nothing and save nothing. */
const { pause = () => {} } = Atomics as { readonly pause?: () => void };

/** The rests of one role before its looks at one side of one ring. */
export class Pacing {
  /** Stages that are enough for one look: half a ring, so that the peer has the other half. */
  readonly #enough: number;
  #rests = 0;
  #futileLooks = 0;
  /** Whether rests may help at all. */
  readonly #mayRest: boolean;
  /** Looks that are made without rests. */
  #left = 0;
  #pause = FIRST_PAUSE;

  /** `spins`: whether the peer has a CPU of its own; where not, to rest is to keep it waiting. */
  constructor(stages: number, spins: boolean) {
    this.#enough = stages >> 1;
    this.#mayRest = spins && this.#enough > 1;
  }

  /** How many pauses come before the next look. */
  get rests(): number {
    return this.#rests;
  }

  rest(): void {
    for (let rests = this.#rests; rests > 0; rests--) pause();
  }

  /** A look has found so many stages; `toEnd`: and the ring's end, past which it does not see. */
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
