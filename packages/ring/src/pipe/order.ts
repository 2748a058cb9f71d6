// Puts the results of several workers in the order of their items again.
import { NO_RESULT } from './codec.ts';

/**
 * The items between the thread that numbers them and that which reads their results in order. At
 * most `size` are under way: what a slow one keeps back is bounded.
 */
export class OrderWindow {
  readonly #size: number;
  readonly #results = new Map<number, unknown>();
  /** Items without a result. */
  skipped = 0;
  #entered = 0;
  #left = 0;
  #wake: (() => void) | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  /** The number of the next item, once it may enter. */
  async enter(): Promise<number> {
    while (this.#entered - this.#left >= this.#size) {
      await new Promise<void>((resolve) => void (this.#wake = resolve));
    }
    return this.#entered++;
  }

  /** A result has arrived. Yields those that are next in order. */
  *arrived(order: number, result: unknown): Generator<unknown, void, void> {
    this.#results.set(order, result);
    while (this.#results.has(this.#left)) {
      const next = this.#results.get(this.#left);
      this.#results.delete(this.#left);
      this.#left++;
      this.#wake?.();
      this.#wake = null;
      if (next === NO_RESULT) this.skipped++;
      else yield next;
    }
  }

  /** Nothing arrives any more: who waits to enter goes on, and finds out why. */
  open(): void {
    this.#left = Infinity;
    this.#wake?.();
  }
}
