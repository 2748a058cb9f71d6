// Asks the clock in loops that can take long, so that no search outlasts its time-out.
import { BoundError } from './bound-error.ts';

/** Ticks between two looks at the clock: a tick is a step of a role or a move. */
const TICKS = 1024;

/** Thrown where the time is up; its message is the reason. */
export class TimeUpError extends BoundError {
  constructor(reason: string) {
    super('timeout', 0, reason);
    this.message = reason;
  }
}

/**
 * Ends work that takes too long. Loops call {@link tick}; every so often that asks for a reason to
 * stop, and throws it. A program carries its alarm to every engine that runs it.
 */
export class Alarm {
  #left = TICKS;
  #reason: (() => string | null) | null;

  /** `reason` says why the work must end, or `null`. Without it nothing ever ends it. */
  constructor(reason: (() => string | null) | null = null) {
    this.#reason = reason;
  }

  /** Called at every step of a loop that can take long. */
  tick(): void {
    if (--this.#left <= 0) this.#ask();
  }

  /** Never rings again: what follows is short, and has to be done. */
  stop(): void {
    this.#reason = null;
  }

  #ask(): void {
    const reason = this.#reason?.() ?? null;
    if (reason !== null) throw new TimeUpError(reason);
    this.#left = TICKS;
  }
}
