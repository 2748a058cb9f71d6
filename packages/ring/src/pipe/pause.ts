// Lets the event loop of this thread go on, which items that are always ready would starve.

/** How long items are passed on without a turn of the event loop, and how often that is looked. */
const MAX_BUSY_MS = 10;
const LOOK_EVERY = 16;

export class Pause {
  #count = 0;
  #since = performance.now();

  /** Whether it is time for {@link take}. Called for each item. */
  get isDue(): boolean {
    if (++this.#count % LOOK_EVERY !== 0) return false;
    return performance.now() - this.#since > MAX_BUSY_MS;
  }

  /** A turn of the event loop. */
  async take(): Promise<void> {
    await new Promise<void>((resolve) => void setTimeout(resolve, 0));
    this.#since = performance.now();
  }
}
