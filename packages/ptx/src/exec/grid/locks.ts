// Locks that blocks take in turn: each order in which they may do so has a run of its own.
import type { WordHistory, WordPoll } from './words.ts';

/** By word: the keys of the accesses that take the lock, in their order. */
export type LockOrders = ReadonlyMap<number, readonly string[]>;

/** The most orders. */
export const MAX_ORDERS = 24;

/** Who takes each lock in a run, by warps that do so in turn. */
function takersOf({ polls }: WordHistory): WordPoll[] {
  return polls.filter(({ isLock, after }) => isLock === true && after >= 0);
}

/** How many orders there are of things of several warps, each with an order of its own. */
function countOf(takers: readonly WordPoll[]): number {
  const done = new Map<number, number>();
  let count = 1;
  for (const [index, { warp }] of takers.entries()) {
    const own = (done.get(warp) ?? 0) + 1;
    done.set(warp, own);
    count = (count * (index + 1)) / own;
  }
  return count;
}

/** All orders, that of the run first. */
function ordersOf(takers: readonly WordPoll[]): (readonly string[])[] {
  if (takers.length === 0) return [[]];
  const seen = new Set<number>();
  return takers.flatMap((first, index) => {
    if (seen.has(first.warp)) return [];
    seen.add(first.warp);
    const rest = takers.filter((_, other) => other !== index);
    return ordersOf(rest).map((order) => [first.key, ...order]);
  });
}

/** All orders in which locks may be taken, that of the run first; `null` if they are too many. */
export function lockOrders(histories: Iterable<WordHistory>): readonly LockOrders[] | null {
  let all: ReadonlyMap<number, readonly string[]>[] = [new Map()];
  for (const history of histories) {
    const takers = takersOf(history);
    if (new Set(takers.map(({ warp }) => warp)).size < 2) continue;
    if (all.length * countOf(takers) > MAX_ORDERS) return null;
    const orders = ordersOf(takers);
    all = orders.flatMap((order) => all.map((each) => new Map(each).set(history.address, order)));
  }
  return all;
}
