// A warp that waits for a word of global memory with several loads of it: unrolled ones, those of a
// loop that sleeps between them, and one that looks again once it has found what it waits for. From
// each of these loads, with each value, all ways lead to another of them, or to where the warp goes
// on, in one state.
import { ActionKind, LOOK_AHEAD } from './program.ts';
import { Changes, isOpenBranch } from './polling.ts';
import { deliverWords } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';
import type { Values } from './alone.ts';
import type { Changed } from './changed.ts';
import type { LookAhead, WarpState } from './peek.ts';
import { acquireOrder } from './order.ts';
import { SparePool, SpareStates } from './spare-states.ts';
import type { Warp } from './warp.ts';

/** The most loads of one wait, values of its words, and ways from one load to the next. */
const MAX_LOADS = 48;
const MAX_VALUES = 16;
const MAX_WAYS = 64;
/** The most times that loads are followed, some of them again as more turns out to change. */
const MAX_VISITS = 8 * MAX_LOADS;

const TRAPS = 'a wait for a word that traps after some tries ends before';

/** A load of the words, whichever try it is. */
interface Load {
  readonly access: GlobalAccess;
  readonly state: WarpState;
  readonly changes: Changes;
}

/** Where one value leads from one load. */
interface Edge {
  readonly to: Set<Load>;
  readonly exits: WarpState[];
  /** Whether a fence is on a way. */
  isFenced: boolean;
}

const pool = new SparePool();

/** All loads of one wait, with where each value leads from each of them. */
class Tries {
  readonly #states: SpareStates;
  readonly #warp: Warp;
  readonly #all: readonly Values[];
  readonly #loads = new Map<number, Load>();
  readonly #edges = new Map<Load, readonly Edge[]>();
  readonly #open: Load[] = [];
  /** Traps that some way comes to. */
  readonly #traps = new Set<number>();
  readonly first: Load;

  constructor(access: GlobalAccess, state: WarpState, all: readonly Values[]) {
    this.#warp = access.warp;
    this.#all = all;
    this.#states = new SpareStates(access.warp, pool);
    this.first = this.#add(access, this.#states.copyOf(state));
  }

  #add(access: GlobalAccess, state: WarpState): Load {
    const load = { access, state, changes: new Changes() };
    this.#loads.set(access.instruction.index, load);
    this.#open.push(load);
    return load;
  }

  /** Follows all loads; whether they are a wait. */
  follow(): boolean {
    for (let visits = 0; this.#open.length > 0; visits++) {
      const load = this.#open.shift()!;
      if (visits === MAX_VISITS || this.#loads.size > MAX_LOADS) return false;
      const edges: Edge[] = [];
      for (const values of this.#all) {
        const edge = this.#edge(load, values);
        if (edge === null) return false;
        edges.push(edge);
      }
      this.#edges.set(load, edges);
    }
    return true;
  }

  /** Follows all ways from a load that finds values; `null` if they are too many. */
  #edge(load: Load, values: Values): Edge | null {
    const first = this.#states.copyOf(load.state);
    load.changes.forget(this.#warp, first);
    deliverWords(load.access, first.registers, values);
    first.stack.counter = load.access.instruction.index + 1;
    const open = [first];
    const edge: Edge = { to: new Set(), exits: [], isFenced: false };
    for (let ways = 0; open.length > 0; ways++) {
      if (ways === MAX_WAYS) return null;
      const state = open.pop()!;
      const { again, isFenced = false } = this.#lookAhead(load.access, state);
      edge.isFenced ||= isFenced;
      if (again === undefined) {
        if (!this.#fork(state, open)) edge.exits.push(state);
        continue;
      }
      const next = this.#comeTo(again, state);
      if (next === null) return null;
      edge.to.add(next);
    }
    return edge;
  }

  /** Notes that a load is made; `null` if not as it was made before. */
  #comeTo(again: GlobalAccess, state: WarpState): Load | null {
    if (again.mask !== this.first.access.mask) return null;
    const known = this.#loads.get(again.instruction.index);
    if (known === undefined) return this.#add(again, state);
    if (!state.stack.equals(known.state.stack)) return null;
    const from = this.#states.copyOf(known.state);
    known.changes.forget(this.#warp, from);
    const isMore = known.changes.add(this.#warp, state, from);
    if (isMore && !this.#open.includes(known)) this.#open.push(known);
    return known;
  }

  /** Goes on both ways of a branch on what is unknown, and none of a trap; whether it is one. */
  #fork(state: WarpState, open: WarpState[]): boolean {
    const { program } = this.#warp;
    const { stack } = state;
    if (stack.depth === 0) return false;
    const at = stack.counter;
    if (program.kinds[at] === ActionKind.trap) {
      this.#traps.add(at);
      return true;
    }
    if (!isOpenBranch(this.#warp, state)) return false;
    const taken = this.#states.copyOf(state);
    taken.stack.counter = program.code.instructions[at]!.targets[0]!;
    stack.counter = at + 1;
    open.push(taken, state);
    return true;
  }

  #lookAhead(access: GlobalAccess, state: WarpState): LookAhead {
    const { ahead } = this.#warp;
    const at = access.instruction.index;
    const lookAhead: LookAhead = { at, barrier: -1, parity: 0, access, isFound: false };
    const follow = (): LookAhead => ahead.follow(lookAhead, LOOK_AHEAD);
    ahead.elsewhere(state, () => void ahead.probing(state, follow));
    return lookAhead;
  }

  /** Where they are a wait, it ends before it traps. */
  assumeNoTrap(): void {
    for (const at of this.#traps) this.#warp.machine.assume(at, 'no-trap', TRAPS);
  }

  /**
   * Whether each value leads from all loads to one of them, again and again, or from all of them
   * to one state: by value, whether it is repeated; `null` if neither.
   */
  repeated(): readonly boolean[] | null {
    const repeated: boolean[] = [];
    for (const index of this.#all.keys()) {
      const isLeaving = [...this.#loads.values()].map((load) => this.#leads(load, index));
      if (isLeaving.some((each) => each === null || each !== isLeaving[0])) return null;
      const exits = [...this.#edges.values()].flatMap((edges) => edges[index]!.exits);
      if (exits.some((exit) => !this.#isAlike(exits[0]!, exit))) return null;
      if (isLeaving[0] === true && !this.#isOrderedAlike(index)) return null;
      repeated.push(!isLeaving[0]!);
    }
    return repeated;
  }

  /** Whether what is behind the wait is ordered alike, whichever of its loads finds a value. */
  #isOrderedAlike(index: number): boolean {
    const orders = new Set<string>();
    for (const [{ access }, edges] of this.#edges) {
      const { to, isFenced } = edges[index]!;
      if (to.size > 0 && isFenced) return false;
      const { sem, scope } = acquireOrder(access.form.access);
      orders.add(`${sem} ${scope} ${to.size === 0 && isFenced}`);
    }
    return orders.size < 2;
  }

  /** Whether a load that finds one value each time goes on in the end; `null`: it may or not. */
  #leads(from: Load, index: number): boolean | null {
    const isDone = new Map<Load, boolean>();
    let isOut = false;
    let isAround = false;
    const visit = (load: Load): void => {
      isDone.set(load, false);
      const { to, exits } = this.#edges.get(load)![index]!;
      isOut ||= exits.length > 0;
      for (const next of to)
        if (!isDone.has(next)) visit(next);
        else isAround ||= isDone.get(next) === false;
      isDone.set(load, true);
    };
    visit(from);
    return isOut && isAround ? null : isOut;
  }

  #isAlike(one: WarpState, other: WarpState): boolean {
    if (one === other) return true;
    if (!one.stack.equals(other.stack) || !one.local.equals(other.local)) return false;
    return !new Changes().add(this.#warp, one, other);
  }
}

/**
 * Whether a warp makes an access again with some of all values that it may find, there or at other
 * loads: `null` if not, else the lanes of registers that are not the same from try to try.
 */
export function triesElsewhere(
  access: GlobalAccess,
  state: WarpState,
  all: readonly Values[],
  values: Values,
): Changed | null {
  const isSame = (other: Values): boolean =>
    [...values].every(([word, held]) => {
      return other.get(word) === held;
    });
  const others = all.filter((each) => !isSame(each));
  if (others.length >= MAX_VALUES) return null;
  const tries = new Tries(access, state, [values, ...others]);
  if (!tries.follow() || tries.repeated()?.[0] !== true) return null;
  const { registers, local } = tries.first.changes;
  if (local.size > 0) return null;
  tries.assumeNoTrap();
  return registers;
}
