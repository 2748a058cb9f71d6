// The life of each CTA: whoever reaches into it must come before its end (L02).
import type { Clocks } from './clocks.ts';

/** For every CTA the last event of each thread that reached into it. */
export class Lifetimes {
  readonly #clocks: Clocks;
  readonly #ctas: number;
  /** By CTA and thread; grows with the threads. */
  #last: Int32Array;
  #width = 64;

  constructor(clocks: Clocks, ctas: number) {
    this.#clocks = clocks;
    this.#ctas = ctas;
    this.#last = new Int32Array(ctas * this.#width);
  }

  /** The last event of `thread` reaches into `cta`. */
  touch(cta: number, thread: number): void {
    if (thread >= this.#width) this.#widen();
    this.#last[cta * this.#width + thread] = this.#clocks.now(thread);
  }

  /** Whether everything that reached into `cta` comes before the last event of `role`. */
  end(cta: number, role: number): boolean {
    return this.#allKnown(cta, this.#clocks.threadRows[role]!, -1);
  }

  /**
   * At the end of the program: what threads of other CTAs did to a CTA came before the end of one
   * of its roles. `rows` are the last clocks of the roles.
   */
  endAll(roles: readonly { readonly cta: number }[], rows: readonly number[]): boolean {
    if (this.#ctas === 1) return true;
    for (let cta = 0; cta < this.#ctas; cta++) {
      const own = rows.filter((_, role) => roles[role]!.cta === cta);
      for (let thread = 0; thread < this.#clocks.width; thread++) {
        if (roles[thread]?.cta === cta) continue;
        const index = thread < this.#width ? this.#last[cta * this.#width + thread]! : 0;
        if (index > 0 && !own.some((row) => this.#clocks.knows(row, thread, index))) return false;
      }
    }
    return true;
  }

  #allKnown(cta: number, row: number, except: number): boolean {
    const width = Math.min(this.#width, this.#clocks.width);
    for (let thread = 0; thread < width; thread++) {
      const index = this.#last[cta * this.#width + thread]!;
      if (thread !== except && !this.#clocks.knows(row, thread, index)) return false;
    }
    return true;
  }

  #widen(): void {
    const width = this.#width * 2;
    const wider = new Int32Array(this.#ctas * width);
    for (let cta = 0; cta < this.#ctas; cta++) {
      wider.set(this.#last.subarray(cta * this.#width, (cta + 1) * this.#width), cta * width);
    }
    this.#last = wider;
    this.#width = width;
  }
}
