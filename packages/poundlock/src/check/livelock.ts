// States from which no end can be reached: what polling hides from the "nothing moves" test (P11).
import { copyState, newState, type System } from '@poundlock/core/internal/system';
import { canReach } from './backward-reachability.ts';
import { Uint32Vector } from './uint32-vector.ts';
import type { Packing } from './packing.ts';
import { isFatal } from './violations.ts';
import type { StateStore } from './store.ts';

const NONE = -1;

/**
 * The first state from which no end can be reached, or −1. Of those states it prefers one that no
 * move leaves: there only failing tries are left, and why is plain to see.
 *
 * All states must be in `store`; their successors are computed a second time, because keeping them
 * during the search would cost every search for the few that can go round in circles.
 */
export function firstNonTerminating(
  system: System,
  packing: Packing,
  store: StateStore,
  finals: Uint32Vector,
  initial: Int32Array,
): number {
  const edges = new Edges(system, packing, store, initial);
  const canEnd = canReach(store.size, edges.from, edges.to, finals);
  const first = canEnd.indexOf(0);
  for (let id = first; id >= 0 && id < store.size; id++) {
    if (canEnd[id] === 0 && edges.staysHere(id)) return id;
  }
  return first < 0 ? NONE : first;
}

/** The moves between states. */
class Edges {
  readonly from = new Uint32Vector();
  readonly to = new Uint32Vector();
  /** Where the moves of each state begin in the lists. */
  readonly #starts = new Uint32Vector();

  constructor(system: System, packing: Packing, store: StateStore, initial: Int32Array) {
    const states = store.size;
    const [words, successor] = [newState(system.machine), newState(system.machine)];
    copyState(system.machine, initial, words);
    copyState(system.machine, initial, successor);
    const options = new Int32Array(1 << 16);
    for (let id = 0; id < states; id++) {
      this.#starts.push(this.to.length);
      store.read(id, words);
      const count = system.moves(words, options);
      copyState(system.machine, words, successor);
      for (let i = 0; i < count; i++) {
        system.apply(successor, options[i]!, system.completions[i]!);
        if (!isFatal(system.symptoms)) {
          system.registers.normalizeMove(successor);
          packing.writeMove(successor);
          this.from.push(id);
          this.to.push(store.add());
        }
        packing.restore(words, successor);
      }
    }
    this.#starts.push(this.to.length);
  }

  /** Whether every move of a state leads back to it. */
  staysHere(id: number): boolean {
    const last = this.#starts.at(id + 1);
    for (let edge = this.#starts.at(id); edge < last; edge++) {
      if (this.to.at(edge) !== id) return false;
    }
    return true;
  }
}
