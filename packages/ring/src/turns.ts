// The order of waits that do not block: an endpoint has one at a time, the others wait their turn.

interface Waiting {
  readonly start: (isFirst: boolean) => void;
}

/** The longest delay of a timer. */
const MAX_TIMER_MS = 0x7fffffff;

/** A queue of waits, first come, first served. */
export class Turns {
  #isTaken = false;
  readonly #queue: Waiting[] = [];

  /** Whether a wait is under way. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /**
   * Waits until this wait is the first; `false` if that took longer than `timeoutMs`.
   *
   * @throws the reason of the signal.
   */
  async enter(timeoutMs: number, signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted();
    if (!this.#isTaken) return (this.#isTaken = true);
    let start: Waiting['start'] = () => {};
    const promise = new Promise<boolean>((resolve) => void (start = resolve));
    const waiting = { start };
    this.#queue.push(waiting);
    const abandon = (): void => {
      const at = this.#queue.indexOf(waiting);
      if (at < 0) return;
      this.#queue.splice(at, 1);
      start(false);
    };
    const timer =
      timeoutMs === Infinity ? undefined : setTimeout(abandon, Math.min(timeoutMs, MAX_TIMER_MS));
    signal?.addEventListener('abort', abandon);
    try {
      const isFirst = await promise;
      if (!isFirst) signal?.throwIfAborted();
      return isFirst;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    }
  }

  /** Ends a wait: the next one starts. */
  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#isTaken = false;
    else next.start(true);
  }
}
