// Named and cluster barriers: roles wait for a number of threads, or for every role (N01, N02).
import { SYNC_CLUSTER, SYNC_NONE, SYNC_RELEASED, type Layout } from './layout.ts';
import type { MachineShape } from './shape.ts';

/** What gathering did: the role goes on, waits, or met a count that does not fit. */
export const Gathered = { goesOn: 0, waits: 1, mismatch: 2, divergent: 3 } as const;
export type Gathered = (typeof Gathered)[keyof typeof Gathered];

/** N01: `threads` more threads arrive at a named barrier of `count` threads. */
export function gatherNamed(
  words: Int32Array,
  layout: Layout,
  named: number,
  role: number,
  threads: number,
  count: number,
  waits: boolean,
): Gathered {
  if (leave(words, layout, role)) return Gathered.goesOn;
  const at = layout.named + named * 2;
  const isOtherCount = words[at] !== 0 && words[at + 1] !== count;
  words[at]! += threads;
  words[at + 1] = count;
  if (isOtherCount || words[at]! > count) return Gathered.mismatch;
  if (words[at] === count) {
    words[at] = 0;
    words[at + 1] = 0;
    releaseAll(words, layout, named + 1);
    return Gathered.goesOn;
  }
  if (!waits) return Gathered.goesOn;
  words[layout.sync + role] = named + 1;
  return Gathered.waits;
}

/** N02: a role arrives at the cluster barrier, which no role may have ended before. */
export function gatherCluster(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  role: number,
): Gathered {
  if (leave(words, layout, role)) return Gathered.goesOn;
  words[layout.sync + role] = SYNC_CLUSTER;
  const roles = shape.roleCtas.length;
  let waiting = 0;
  for (let other = 0; other < roles; other++) {
    if (words[layout.sync + other] === SYNC_CLUSTER) waiting++;
  }
  let living = 0;
  for (let cta = 0; cta < shape.ctas; cta++) living += words[layout.ctas + cta * 2 + 1]!;
  if (living < roles) return Gathered.divergent;
  if (waiting < roles) return Gathered.waits;
  releaseAll(words, layout, SYNC_CLUSTER);
  words[layout.sync + role] = SYNC_NONE;
  return Gathered.goesOn;
}

/** Whether any role waits at the cluster barrier. */
export function anyAtCluster(words: Int32Array, layout: Layout): boolean {
  return words.subarray(layout.sync, layout.pools).includes(SYNC_CLUSTER);
}

/** Whether a role may execute its gathering operation: it comes, or it was released. */
export function canGather(words: Int32Array, layout: Layout, role: number): boolean {
  const sync = words[layout.sync + role];
  return sync === SYNC_NONE || sync === SYNC_RELEASED;
}

function leave(words: Int32Array, layout: Layout, role: number): boolean {
  if (words[layout.sync + role] !== SYNC_RELEASED) return false;
  words[layout.sync + role] = SYNC_NONE;
  return true;
}

function releaseAll(words: Int32Array, layout: Layout, waitingFor: number): void {
  for (let at = layout.sync; at < layout.pools; at++) {
    if (words[at] === waitingFor) words[at] = SYNC_RELEASED;
  }
}
