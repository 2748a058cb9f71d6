// Runs that are asked for again: those used last, as long as they are not too large together.

/** The most runs that are kept. */
const MAX_RUNS = 64;
/** The most steps of all runs that are kept, beside the last one. */
const MAX_STEPS = 1_000_000;

/** A run with its size. */
export interface CountedRun {
  readonly steps: number;
  /** Whether the time was up before its end: with more time, it may be another run. */
  readonly isCutShort?: boolean;
}

/** Runs by a key, the one that was used last at the end. */
export class RunCache<Run extends CountedRun> {
  readonly #runs = new Map<string, Run>();
  #steps = 0;

  /** The run of a key, made if it is not kept; again if it was cut short and there is time. */
  of(key: string, make: () => Run, hasTime = false): Run {
    let run = this.#runs.get(key);
    if (run === undefined || (hasTime && run.isCutShort === true)) {
      this.#steps -= run?.steps ?? 0;
      this.#runs.delete(key);
      run = make();
      this.#steps += run.steps;
    } else this.#runs.delete(key);
    this.#runs.set(key, run);
    for (const [oldest, { steps }] of this.#runs) {
      const fits = this.#runs.size <= MAX_RUNS && this.#steps <= MAX_STEPS;
      if (fits || oldest === key) break;
      this.#runs.delete(oldest);
      this.#steps -= steps;
    }
    return run;
  }
}
