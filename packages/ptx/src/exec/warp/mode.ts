// How instructions are executed: as what happens, or as what may happen.
import type { Picked } from '../../values/origin.ts';
import type { Doubtful } from '../origins/free-guard.ts';
import type { Way } from './every-way.ts';

/** In which way a warp executes its instructions. */
export class Mode {
  /** What is known of the predicates that decide whether they happen; `null`: they do. */
  doubt: Doubtful | null = null;
  /** The way of a branch on unknown data that it is on; `null` where it may not do what comes. */
  way: Way | null = null;
  /** How other blocks execute the instruction; `null`: in the lanes in which this one does. */
  picked: Picked | null = null;
  /** The lanes that access memory just now. */
  accessing = 0;
  #isUncertain = false;
  #isLast = false;

  /** Whether an unknown predicate guards the instruction that is executed. */
  get isUncertain(): boolean {
    return this.#isUncertain;
  }

  /** Whether the instructions of the last thread are executed, which come after all of others. */
  get isLast(): boolean {
    return this.#isLast;
  }

  /** Executes what may happen, on no way of a branch at first. */
  inDoubt<T>(doubt: Doubtful | null, run: () => T): T {
    const { way, doubt: before } = this;
    const isUncertain = this.#isUncertain;
    this.way = null;
    this.doubt = doubt;
    this.#isUncertain = true;
    const result = run();
    this.way = way;
    this.doubt = before;
    this.#isUncertain = isUncertain;
    return result;
  }

  /** Executes what the last thread does. */
  asLast(run: () => void): void {
    this.#isLast = true;
    run();
    this.#isLast = false;
  }
}
