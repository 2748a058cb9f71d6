// Measures whether long waits should spin or park (sleep at once). Spinning takes the peer's share
// of a core and of its memory bandwidth; parking is as fast where the peer has stages left to work
// on meanwhile, and slow where the peer waits for an answer.

/** Waits of one round: either all of them spin or all of them park. */
const WAITS_PER_ROUND = 32;
/** Average polls of a wait from which on parking is tried: about 4 µs. */
const LONG_WAIT_POLLS = 32;
/** Parking continues if it is at most this much slower: it leaves a CPU free. */
const TOLERANCE = 1.02;
/** Rounds of parking after which spinning is measured again. */
const PARKING_ROUNDS = 64;
/** Rounds after which parking is tried again, at first and at most; doubles each time. */
const FIRST_PAUSE = 4;
const LAST_PAUSE = 1024;

/** The measurements of one thread at one ring. */
export class SpinOrPark {
  /** Whether waits park now. */
  isParking = false;
  /** Whether this round is a trial of parking. */
  #isTrial = false;
  #waits = 0;
  #polls = 0;
  #firstPhase = 0;
  #startMs = 0;
  /** Milliseconds a stage took in the last round of spinning. */
  #spinningMs = 0;
  /** Rounds left before the next change. */
  #roundsLeft = FIRST_PAUSE;
  #pause = FIRST_PAUSE;
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records a wait for stage number `phase` that polled `polls` times. */
  recordWait(phase: number, polls: number): void {
    this.#polls += polls;
    if (++this.#waits < WAITS_PER_ROUND) return;
    const now = this.#now();
    const stages = (phase - this.#firstPhase) | 0;
    if (stages > 0) this.#endRound((now - this.#startMs) / stages);
    this.#waits = 0;
    this.#polls = 0;
    this.#firstPhase = phase;
    this.#startMs = now;
  }

  #endRound(stageMs: number): void {
    if (this.#roundsLeft > 0) {
      this.#roundsLeft--;
    } else if (!this.isParking) {
      this.#spinningMs = stageMs;
      this.isParking = this.#isTrial = this.#polls >= LONG_WAIT_POLLS * WAITS_PER_ROUND;
    } else if (this.#isTrial && stageMs <= this.#spinningMs * TOLERANCE) {
      this.#isTrial = false;
      this.#roundsLeft = PARKING_ROUNDS;
      this.#pause = FIRST_PAUSE;
    } else {
      this.isParking = false;
      if (!this.#isTrial) return;
      this.#roundsLeft = this.#pause;
      this.#pause = Math.min(this.#pause * 2, LAST_PAUSE);
    }
  }
}
