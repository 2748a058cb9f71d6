// How each stored state was reached: its parent, and the moves from there.
import { GrowingList } from '../growing.ts';
import type { Move } from '../../system/index.ts';

const NO_PARENT = 0xffffffff;

/** Ways back to the initial state, which is number 0. */
export class Trail {
  readonly #parents = new GrowingList();
  readonly #starts = new GrowingList();
  readonly #moves = new GrowingList();

  /** Adds the next state; −1 as parent for the initial one. */
  add(parent: number, chain: readonly Move[]): void {
    this.#parents.push(parent < 0 ? NO_PARENT : parent);
    this.#starts.push(this.#moves.length);
    for (const move of chain) this.#moves.push(move);
  }

  /** The moves from the initial state to one that was added. */
  pathTo(id: number): Move[] {
    const chains: Move[][] = [];
    for (let at = id; at !== NO_PARENT; at = this.#parents.at(at)) {
      const end = at + 1 < this.#starts.length ? this.#starts.at(at + 1) : this.#moves.length;
      const chain: Move[] = [];
      for (let i = this.#starts.at(at); i < end; i++) chain.push(this.#moves.at(i));
      chains.push(chain);
    }
    return chains.reverse().flat();
  }
}
