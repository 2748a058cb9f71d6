// States from which no end can be reached: what polling hides from the "nothing moves" test (P11).
import { severityOf } from '../finding/index.ts';
import { copyState, newState, type System } from '../system/index.ts';
import { GrowingList } from './growing.ts';
import type { Packing } from './packing.ts';
import type { StateStore } from './store.ts';

const NONE = -1;

/**
 * The first state from which no end can be reached, or −1. Of those states it prefers one that no
 * move leaves: there only failing tries are left, and why is plain to see.
 *
 * All states must be in `store`; their successors are computed a second time, because keeping them
 * during the search would cost every search for the few that can go round in circles.
 */
export function firstDoomed(
  system: System,
  packing: Packing,
  store: StateStore,
  finals: GrowingList,
  initial: Int32Array,
): number {
  const edges = new Edges(system, packing, store, initial);
  const canEnd = edges.reaching(finals);
  const first = canEnd.indexOf(0);
  for (let id = first; id >= 0 && id < store.size; id++) {
    if (canEnd[id] === 0 && edges.staysHere(id)) return id;
  }
  return first < 0 ? NONE : first;
}

/** The successors of every state, as one list with the place where each state's begin. */
class Edges {
  readonly #states: number;
  readonly #starts = new GrowingList();
  readonly #targets = new GrowingList();

  constructor(system: System, packing: Packing, store: StateStore, initial: Int32Array) {
    this.#states = store.size;
    const [words, successor] = [newState(system.machine), newState(system.machine)];
    copyState(system.machine, initial, words);
    copyState(system.machine, initial, successor);
    const options = new Int32Array(1 << 16);
    for (let id = 0; id < this.#states; id++) {
      this.#starts.push(this.#targets.length);
      store.read(id, words);
      const count = system.moves(words, options);
      copyState(system.machine, words, successor);
      for (let i = 0; i < count; i++) {
        system.apply(successor, options[i]!);
        if (!system.symptoms.some(({ rule }) => severityOf(rule) === 'error')) {
          system.registers.normaliseMove(successor);
          packing.writeMove(successor);
          this.#targets.push(store.add());
        }
        packing.restore(words, successor);
      }
    }
    this.#starts.push(this.#targets.length);
  }

  /** By state: 1 if one of `goals` can be reached from it. */
  reaching(goals: GrowingList): Uint8Array {
    const { incoming, start } = this.#reversed();
    const reaches = new Uint8Array(this.#states);
    const queue = new Uint32Array(this.#states);
    let queued = 0;
    const mark = (id: number): void => {
      if (reaches[id] === 1) return;
      reaches[id] = 1;
      queue[queued++] = id;
    };
    for (let i = 0; i < goals.length; i++) mark(goals.at(i));
    for (let i = 0; i < queued; i++) {
      const last = start[queue[i]! + 1]!;
      for (let edge = start[queue[i]!]!; edge < last; edge++) mark(incoming[edge]!);
    }
    return reaches;
  }

  /** Whether every move of a state leads back to it. */
  staysHere(id: number): boolean {
    const last = this.#starts.at(id + 1);
    for (let edge = this.#starts.at(id); edge < last; edge++) {
      if (this.#targets.at(edge) !== id) return false;
    }
    return true;
  }

  /** The edges turned round. */
  #reversed(): { incoming: Uint32Array; start: Uint32Array } {
    const start = new Uint32Array(this.#states + 2);
    const edges = this.#targets.length;
    for (let edge = 0; edge < edges; edge++) start[this.#targets.at(edge) + 2]!++;
    for (let id = 2; id < start.length; id++) start[id]! += start[id - 1]!;
    const incoming = new Uint32Array(edges);
    for (let id = 0; id < this.#states; id++) {
      const last = this.#starts.at(id + 1);
      for (let edge = this.#starts.at(id); edge < last; edge++) {
        incoming[start[this.#targets.at(edge) + 1]!++] = id;
      }
    }
    return { incoming, start };
  }
}
