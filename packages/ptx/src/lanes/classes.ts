// Classes of the lanes of a warp that make the same steps where one list does not stand for all.
import type { Step } from '../steps/step.ts';
import { isAccess } from './effects.ts';
import type { Exchange } from './exchanges.ts';
import { count, lowest, makersOf } from './mask.ts';
import { bundleAt } from './segments.ts';
import type { Segment } from './segments.ts';

/** The most classes of one warp. */
export const MAX_CLASSES = 8;

/** Lanes of a warp in classes, as masks, those with the lowest lanes first. */
export class LaneClasses {
  #masks: number[];

  constructor(all: number) {
    this.#masks = [all];
  }

  get masks(): readonly number[] {
    return this.#masks.toSorted((one, other) => lowest(one) - lowest(other));
  }

  get areTooMany(): boolean {
    return this.#masks.length > MAX_CLASSES;
  }

  /** Divides each class into those of its lanes that are among some and the others. */
  divide(some: number): void {
    this.#masks = this.#masks.flatMap((mask) => {
      return [mask & some, mask & ~some].filter((part) => part !== 0);
    });
  }

  /** Whether two lanes are in one class. */
  haveBoth(one: number, other: number): boolean {
    return this.#masks.some((mask) => ((mask >>> one) & (mask >>> other) & 1) === 1);
  }

  /**
   * Divides where the steps of a segment are by some lanes alone. Accesses may be by some lanes of
   * a class: what holds for all of them holds for some.
   */
  divideBySteps(steps: readonly Step[], { from, to }: Segment, all: number): void {
    for (let at = from; at < to && !this.areTooMany;) {
      const bundle = bundleAt(steps, at, to, all);
      const isWhole = bundle.hasOneTarget && steps[at]!.op !== 'join';
      const parts = isWhole ? steps.slice(at, at + 1) : steps.slice(at, bundle.to);
      for (const part of parts)
        if (!isAccess(part)) this.divide(isWhole ? bundle.lanes : makersOf(part, all));
      at = bundle.to;
    }
  }

  /** Divides so that the two lanes of an exchange are by themselves. */
  divideByPair({ first, second }: Exchange): void {
    this.divide(1 << first.lane);
    this.divide(1 << second.lane);
  }

  /**
   * Divides so that the lanes of exchanges are in different classes: first those that touch the
   * bytes first, together, then one by one.
   */
  divideByExchanges(exchanges: readonly Exchange[]): void {
    let firsts = 0;
    for (const { first } of exchanges) firsts |= 1 << first.lane;
    const isOpen = ({ first, second }: Exchange): boolean => this.haveBoth(first.lane, second.lane);
    if (exchanges.some(isOpen) && count(firsts) < MAX_CLASSES) this.divide(firsts);
    for (const exchange of exchanges) {
      if (this.areTooMany) return;
      if (isOpen(exchange)) this.divide(1 << exchange.first.lane);
    }
  }
}
