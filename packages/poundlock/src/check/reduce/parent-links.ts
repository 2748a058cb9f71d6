// How each stored state was reached: its parent, and the moves from there.
import { Uint32Vector } from '../uint32-vector.ts';
import { agentOf, moveOf, optionOf, type Move } from '@poundlock/core/internal/system';

const NO_PARENT = 0xffffffff;

/**
 * Paths back to the initial state, which is number 0. Where symmetric roles were exchanged in a
 * state that was stored, the moves after it name other roles than those that made them.
 */
export class ParentLinks {
  readonly #parents = new Uint32Vector();
  readonly #starts = new Uint32Vector();
  readonly #moves = new Uint32Vector();
  /** By state in which symmetric roles were exchanged: by role, which it was before. */
  readonly #orders = new Map<number, readonly number[]>();

  /** Adds the next state; −1 as parent for the initial one. `order`: the exchange of roles. */
  add(parent: number, chain: readonly Move[], order: readonly number[] | null = null): void {
    if (order !== null) this.#orders.set(this.#parents.length, order);
    this.#parents.push(parent < 0 ? NO_PARENT : parent);
    this.#starts.push(this.#moves.length);
    for (const move of chain) this.#moves.push(move);
  }

  /** The moves from the initial state to one that was added, and on from there. */
  pathTo(id: number, onwards: readonly Move[] = []): Move[] {
    const states: number[] = [];
    for (let at = id; at !== NO_PARENT; at = this.#parents.at(at)) states.push(at);
    const path: Move[] = [];
    /** By role: its number on the path from the initial state. */
    let names: readonly number[] = [];
    for (const at of states.reverse()) {
      const end = at + 1 < this.#starts.length ? this.#starts.at(at + 1) : this.#moves.length;
      for (let i = this.#starts.at(at); i < end; i++) path.push(named(this.#moves.at(i), names));
      const before = names;
      const order = this.#orders.get(at);
      if (order !== undefined) names = order.map((role) => before[role] ?? role);
    }
    for (const move of onwards) path.push(named(move, names));
    return path;
  }
}

function named(move: Move, names: readonly number[]): Move {
  const agent = agentOf(move);
  return moveOf(names[agent] ?? agent, optionOf(move));
}
