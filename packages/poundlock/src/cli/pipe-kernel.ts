// The kernel of a pipe: what `pipe.describe()` returned, as roles whose waits `check` examines.
import {
  alloc,
  arrive,
  barrier,
  cell,
  free,
  join,
  kernel,
  load,
  pool,
  relinquish,
  role,
  store,
  wait,
  type Kernel,
  type Op,
} from '@poundlock/core';
import type { PipeGroup, PipeLink, PipeTopology } from '@poundlock/ring';

/** What a check passes through a pipe, and its most workers and stages, unless specified. */
const ITEMS = 2;
const MAX_WORKERS = 2;
const MAX_DEPTH = 2;

type Run<T> = Generator<Op, T, number>;
type Pool = ReturnType<typeof pool>;

/** The description of a pipe that a module exports, or `undefined`. */
export function topologyIn(module: Readonly<Record<string, unknown>>): PipeTopology | undefined {
  const value = module['default'];
  if (typeof value !== 'object' || value === null) return undefined;
  // Plain data: nothing of what a module exports is called here.
  const own = (name: keyof PipeTopology): unknown =>
    Object.getOwnPropertyDescriptor(value, name)?.value;
  const [pipe, groups, links] = [own('pipe'), own('groups'), own('links')];
  const isPipe = typeof pipe === 'string' && Array.isArray(groups) && Array.isArray(links);
  return isPipe && links.length === groups.length - 1 ? (value as PipeTopology) : undefined;
}

/**
 * The kernel of a pipe. `items` pass through it, and `early`, if it is not 0, is how many of them
 * the last group reads before it needs no more. `workers` and `depth` limit the workers of a group
 * and the stages of a ring. `opening` leaves out a rule: with 0, an end does not open the window of
 * an ordered stage.
 */
export function kernelOfPipe(topology: PipeTopology): Kernel {
  const most = {
    workers: Math.max(1, ...topology.groups.map((group) => group.workers)),
    depth: Math.max(1, ...topology.links.map((link) => link.depth)),
  };
  const sizes = {
    items: ITEMS,
    workers: Math.min(MAX_WORKERS, most.workers),
    depth: Math.min(MAX_DEPTH, most.depth),
  };
  return kernel(topology.pipe, { ...sizes, early: 0, opening: 1 }, (params) => {
    const { items, depth, early, opening } = params;
    const { groups, links } = limited(topology, params.workers);
    // What happens while its one unit is taken happens in one step: an atomic instruction.
    const step = pool('step', { capacity: 1 });
    const hasOrder = groups.some(({ isOrdered }) => isOrdered);
    const shape = { items, depth, hasOrder, closes: early > 0 };
    const rings = links.map((link, at) => new ModelRing(step, at, link, shape));
    const windows = groups.map((group, at) => {
      const size = Math.min(depth, links[at - 1]?.depth ?? depth) + group.workers;
      return group.isOrdered ? new ModelWindow(at, items, size, opening === 1) : undefined;
    });
    const roles = groups.flatMap((group, at) => {
      const isLast = at === groups.length - 1;
      const ends = {
        from: rings[at - 1],
        to: rings[at],
        before: windows[at - 1],
        after: windows[at + 1],
        items: isLast && early > 0 ? Math.min(early, items) : items,
      };
      return Array.from({ length: Math.max(1, group.workers) }, (_, number) =>
        role(roleName(groups, at, number), function* () {
          yield* passItems(ends);
        }),
      );
    });
    const last = role('last', function* () {
      for (const each of roles.keys()) yield* join(each);
      relinquish(step);
    });
    return [...roles, last];
  });
}

/** A pipe with at most so many workers of a group. */
function limited({ pipe, groups, links }: PipeTopology, most: number): PipeTopology {
  const atMost = (threads: number): number => Math.min(threads, most);
  return {
    pipe,
    groups: groups.map((group) => ({ ...group, workers: atMost(group.workers) })),
    links: links.map(({ depth, producers, consumers }) => {
      return { depth, producers: atMost(producers), consumers: atMost(consumers) };
    }),
  };
}

function roleName(groups: readonly PipeGroup[], at: number, number: number): string {
  const { stages, workers } = groups[at]!;
  const end = at === 0 ? 'source' : at === groups.length - 1 ? 'sink' : `order${at}`;
  const name = stages.length > 0 ? stages.join('_') : end;
  return workers > 1 ? `${name}${number}` : name;
}

interface RingShape {
  readonly items: number;
  readonly depth: number;
  /** Whether items carry their order. */
  readonly hasOrder: boolean;
  /** Whether consumers close before the end. */
  readonly closes: boolean;
}

interface Ends {
  readonly from: ModelRing | undefined;
  readonly to: ModelRing | undefined;
  readonly before: ModelWindow | undefined;
  readonly after: ModelWindow | undefined;
  readonly items: number;
}

/** What a role knows by itself: the turns of a side that is its own, and the items in order. */
interface Own {
  produced: number;
  consumed: number;
  readonly arrived: Set<number>;
  left: number;
}

/** What a thread of a group does: takes items, puts their results, and ends quietly. */
function* passItems({ from, to, before, after, items }: Ends): Run<void> {
  const own: Own = { produced: 0, consumed: 0, arrived: new Set(), left: 0 };
  for (let item = 0; item < items; item++) {
    const order = from === undefined ? item : yield* from.take(own);
    if (order < 0) break;
    const ready = before === undefined ? [order] : before.leave(own, order);
    let isOpen = true;
    for (const each of ready) {
      if (after !== undefined) yield* after.enter(each);
      isOpen &&= to === undefined || (yield* to.put(own, each));
    }
    if (!isOpen) break;
  }
  before?.open(own);
  if (from !== undefined) yield* from.close(own);
}

/** The turns of one side of a ring: those of several threads come from a register. */
class Turns {
  readonly #step: Pool;
  readonly #register: ReturnType<typeof cell> | null;

  constructor(step: Pool, name: string, threads: number) {
    this.#step = step;
    this.#register = threads > 1 ? cell(name) : null;
  }

  *next(own: Own, side: 'produced' | 'consumed'): Run<number> {
    if (this.#register === null) return own[side]++;
    const held = yield* alloc(this.#step, 1);
    const turn = yield* load(this.#register);
    store(this.#register, turn + 1);
    free(held);
    return turn;
  }
}

/**
 * A ring: a barrier for each turn of each side. That the threads of a side claim their turns
 * soundly is what `examples/models` proves; here a turn is claimed before it is waited for.
 */
class ModelRing {
  readonly #step: Pool;
  readonly #depth: number;
  readonly #full: readonly ReturnType<typeof barrier>[];
  readonly #empty: readonly ReturnType<typeof barrier>[];
  readonly #orders: readonly ReturnType<typeof cell>[];
  readonly #produce: Turns;
  readonly #consume: Turns;
  /** Consumers that are open; `null` where none closes before the end. */
  readonly #open: ReturnType<typeof cell> | null;

  constructor(step: Pool, at: number, { producers, consumers, depth }: PipeLink, shape: RingShape) {
    const turns = [...Array(shape.items).keys()];
    this.#step = step;
    this.#depth = Math.min(shape.depth, depth);
    this.#full = turns.map((turn) => barrier(`full${at}[${turn}]`));
    this.#empty = turns.map((turn) => barrier(`empty${at}[${turn}]`));
    this.#orders = shape.hasOrder ? turns.map((turn) => cell(`order${at}[${turn}]`)) : [];
    this.#produce = new Turns(step, `produced${at}`, producers);
    this.#consume = new Turns(step, `consumed${at}`, consumers);
    this.#open = shape.closes ? cell(`open${at}`, consumers) : null;
  }

  /** Puts an item; `false` if nothing reads the ring any more. */
  *put(own: Own, order: number): Run<boolean> {
    const turn = yield* this.#produce.next(own, 'produced');
    if (turn >= this.#depth) yield* wait(this.#empty[turn - this.#depth]!, 0);
    if (this.#open !== null && (yield* load(this.#open)) === 0) return false;
    const carried = this.#orders[turn];
    if (carried !== undefined) store(carried, order);
    arrive(this.#full[turn]!);
    return true;
  }

  /** Takes an item; −1 at the end. */
  *take(own: Own): Run<number> {
    const turn = yield* this.#consume.next(own, 'consumed');
    if (turn >= this.#full.length) return -1;
    yield* wait(this.#full[turn]!, 0);
    const carried = this.#orders[turn];
    const order = carried === undefined ? turn : yield* load(carried);
    arrive(this.#empty[turn]!);
    return order;
  }

  /** Closes a consumer; the last one wakes the producers. */
  *close(own: Own): Run<void> {
    if (this.#open === null) return;
    const held = yield* alloc(this.#step, 1);
    const left = (yield* load(this.#open)) - 1;
    store(this.#open, left);
    free(held);
    if (left > 0) return;
    const first = yield* this.#consume.next(own, 'consumed');
    for (let turn = first; turn < this.#empty.length; turn++) arrive(this.#empty[turn]!);
  }
}

/** The window of an ordered stage: so many items may be under way. */
class ModelWindow {
  readonly #left: readonly ReturnType<typeof barrier>[];
  readonly #size: number;
  readonly #opens: boolean;

  constructor(at: number, items: number, size: number, opens: boolean) {
    this.#left = Array.from({ length: items }, (_, order) => barrier(`left${at}[${order}]`));
    this.#size = size;
    this.#opens = opens;
  }

  *enter(order: number): Run<void> {
    if (order >= this.#size) yield* wait(this.#left[order - this.#size]!, 0);
  }

  /** An item arrives where order is restored; those that leave now, after all before them. */
  leave(own: Own, order: number): number[] {
    own.arrived.add(order);
    const ready: number[] = [];
    for (; own.arrived.has(own.left); own.left++) {
      arrive(this.#left[own.left]!);
      ready.push(own.left);
    }
    return ready;
  }

  /** Nothing is read any more. */
  open(own: Own): void {
    if (!this.#opens) return;
    for (; own.left < this.#left.length; own.left++) arrive(this.#left[own.left]!);
  }
}
