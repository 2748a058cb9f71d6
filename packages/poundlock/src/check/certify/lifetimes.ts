// Lives of CTAs and barriers: whoever reaches into one comes after its birth, before its end (L02).
import type { Clocks } from './clocks.ts';

/** For every CTA and barrier the last event of each thread that reached into it. */
export class Lifetimes {
  readonly #clocks: Clocks;
  /** By resource: the row with the last touch of each thread. */
  readonly #touches: number[] = [];
  /** By resource: the event that began its life, thread −1 for the start of the program. */
  readonly #bornBy: number[] = [];
  readonly #bornAt: number[] = [];

  constructor(clocks: Clocks, resources: number) {
    this.#clocks = clocks;
    for (let resource = 0; resource < resources; resource++) {
      this.#touches.push(clocks.addRow());
      this.#bornBy.push(-1);
      this.#bornAt.push(0);
    }
  }

  /** The last event of `thread` reaches into `resource`; `false` if that may not live yet. */
  touch(resource: number, thread: number): boolean {
    const { data, stride, threadRows } = this.#clocks;
    const row = threadRows[thread]!;
    data[this.#touches[resource]! * stride + thread] = data[row * stride + thread]!;
    const by = this.#bornBy[resource]!;
    return by < 0 || data[row * stride + by]! >= this.#bornAt[resource]!;
  }

  /** The last event of `thread` begins a life. */
  begin(resource: number, thread: number): void {
    this.#bornBy[resource] = thread;
    this.#bornAt[resource] = this.#clocks.now(thread);
  }

  /** Whether everything that reached into `resource` comes before the last event of `role`. */
  end(resource: number, role: number): boolean {
    return this.#isBelow(this.#touches[resource]!, this.#clocks.threadRows[role]!);
  }

  /**
   * At the end of the program: what threads of other CTAs did to a CTA came before the end of one
   * of its roles. `ctas` are the CTAs of the threads as far as they are known.
   */
  endsInTime(cta: number, ctaOfThread: readonly number[], ends: readonly number[]): boolean {
    const { data, stride, width } = this.#clocks;
    const touches = this.#touches[cta]!;
    for (let thread = 0; thread < width; thread++) {
      const index = data[touches * stride + thread]!;
      if (index === 0 || ctaOfThread[thread] === cta) continue;
      if (!ends.some((row) => this.#clocks.knows(row, thread, index))) return false;
    }
    return true;
  }

  #isBelow(row: number, other: number): boolean {
    const { data, stride, width } = this.#clocks;
    for (let u = 0; u < width; u++) {
      if (data[row * stride + u]! > data[other * stride + u]!) return false;
    }
    return true;
  }
}
