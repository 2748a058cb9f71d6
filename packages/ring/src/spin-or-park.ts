// Whether a thread that waits long should rather sleep at once: tried, because nobody can know.
// Looking takes the peer's share of a core and of its memory; sleeping is as fast where stages
// are left to the peer meanwhile, and slow where the peer waits for an answer.

/** Waits of one round: they are all looked through or all slept through. */
const ROUND = 32;
/** Looks of a wait, on average, from which on sleeping is tried: about 4 µs. */
const LONG = 32;
/** Sleeping is kept if it is at most so much slower: it leaves a CPU free. */
const SLACK = 1.02;
/** Rounds after which looking is measured again. */
const KEPT = 64;
/** Rounds after which sleeping is tried again, at first and at most; it doubles each time. */
const FIRST_PAUSE = 4;
const LAST_PAUSE = 1024;

/** The trials of one thread at one ring. */
export class Trial {
  /** Whether waits sleep at once now. */
  isSleeping = false;
  /** Whether that is only being tried. */
  #isTried = false;
  #waits = 0;
  #looks = 0;
  #from = 0;
  #began = 0;
  /** Milliseconds a stage took in the last round of looking. */
  #lookingMs = 0;
  /** Rounds that go on as they are. */
  #left = FIRST_PAUSE;
  #pause = FIRST_PAUSE;
  readonly #now: () => number;

  /** `now` answers milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** One more wait, for stage number `phase`; `looks` is how long it looked. */
  waited(phase: number, looks: number): void {
    this.#looks += looks;
    if (++this.#waits < ROUND) return;
    const now = this.#now();
    const stages = (phase - this.#from) | 0;
    if (stages > 0) this.#endRound((now - this.#began) / stages);
    this.#waits = 0;
    this.#looks = 0;
    this.#from = phase;
    this.#began = now;
  }

  #endRound(stageMs: number): void {
    if (this.#left > 0) {
      this.#left--;
    } else if (!this.isSleeping) {
      this.#lookingMs = stageMs;
      this.isSleeping = this.#isTried = this.#looks >= LONG * ROUND;
    } else if (this.#isTried && stageMs <= this.#lookingMs * SLACK) {
      this.#isTried = false;
      this.#left = KEPT;
      this.#pause = FIRST_PAUSE;
    } else {
      this.isSleeping = false;
      if (!this.#isTried) return;
      this.#left = this.#pause;
      this.#pause = Math.min(this.#pause * 2, LAST_PAUSE);
    }
  }
}
