// How far expressions reach in the blocks of a box, without evaluating them in each of these.
import type { Box, Origin } from '../../values/origin.ts';
import type { Reach } from '../../values/reach.ts';
import { inOrder } from './evaluate.ts';

/** What expressions, and all that they are made of, may be in a box of clusters. */
export class Bounds {
  readonly #known = new Map<Origin, Reach | null>();

  /**
   * @param hasMovers Whether a value that all lanes have, and that moves in some other way than
   * with the axes, is itself what others move with.
   */
  constructor(roots: readonly Origin[], box: Box, hasMovers = false) {
    for (const origin of inOrder(roots)) {
      const own = this.#reachOf(origin, box);
      const isMover = hasMovers && own?.moves === null && origin.isUniform;
      this.#known.set(origin, isMover ? { ...own, moves: new Map([[origin, 1]]) } : own);
    }
  }

  /** How many expressions it looked at. */
  get size(): number {
    return this.#known.size;
  }

  /** How far an expression reaches; `null`: nothing is known of it. */
  of(origin: Origin): Reach | null {
    return this.#known.get(origin)!;
  }

  #reachOf(origin: Origin, box: Box): Reach | null {
    const inputs: Reach[] = [];
    for (const input of origin.inputs) {
      const reach = this.#known.get(input)!;
      if (reach === null) return null;
      inputs.push(reach);
    }
    return origin.reach(inputs, box);
  }
}
