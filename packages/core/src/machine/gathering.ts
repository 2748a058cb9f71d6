// Named and cluster barriers: roles wait for a number of threads, or for every role (N01, N02).
import { SYNC_CLUSTER, SYNC_NONE, SYNC_RELEASED, type Layout } from './layout.ts';
import type { Journal } from './journal.ts';
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
  const { first, end } = gridAround(shape, shape.roleCtas[role]!);
  let roles = 0;
  let waiting = 0;
  for (let other = 0; other < shape.roleCtas.length; other++) {
    if (shape.roleCtas[other]! < first || shape.roleCtas[other]! >= end) continue;
    roles++;
    if (words[layout.sync + other] === SYNC_CLUSTER) waiting++;
  }
  let living = 0;
  for (let cta = first; cta < end; cta++) living += words[layout.ctas + cta * 2 + 1]!;
  if (living < roles) return Gathered.divergent;
  if (waiting < roles) return Gathered.waits;
  for (let other = 0; other < shape.roleCtas.length; other++) {
    if (shape.roleCtas[other]! < first || shape.roleCtas[other]! >= end) continue;
    words[layout.sync + other] = SYNC_RELEASED;
  }
  words[layout.sync + role] = SYNC_NONE;
  return Gathered.goesOn;
}

/** The CTAs of the grid that a CTA belongs to: its cluster. */
function gridAround({ grids }: MachineShape, cta: number): { first: number; end: number } {
  return grids.find(({ end }) => cta < end)!;
}

/** N07: a role arrives at the cluster barrier and goes on; `false` if it has arrived before. */
export function arriveAtCluster(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  role: number,
): boolean {
  if (words[layout.cluster + role] !== SYNC_NONE) return false;
  words[layout.cluster + role] = SYNC_CLUSTER;
  openCluster(words, layout, shape, role);
  return true;
}

/** N07: a role goes on after its arrival; `false` if it has not arrived. */
export function leaveCluster(words: Int32Array, layout: Layout, role: number): boolean {
  const state = words[layout.cluster + role];
  words[layout.cluster + role] = SYNC_NONE;
  return state === SYNC_RELEASED;
}

/** N06: a role that has ended is waited for no more; whether that lets the others go on. */
export function endAtCluster(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  role: number,
  journal: Journal,
): boolean {
  const { cluster, launched } = layout;
  let at = cluster;
  while (at < launched && words[at] === SYNC_NONE) at++;
  // Most programs have no such barrier, and nothing is written.
  if (at === launched) return false;
  journal.noteAll(cluster, launched - cluster);
  words[cluster + role] = SYNC_NONE;
  return openCluster(words, layout, shape, role);
}

/** N06, N07: lets the roles of a grid go on once all that have not ended have arrived. */
function openCluster(
  words: Int32Array,
  layout: Layout,
  shape: MachineShape,
  role: number,
): boolean {
  const { first, end } = gridAround(shape, shape.roleCtas[role]!);
  let living = 0;
  for (let cta = first; cta < end; cta++) living += words[layout.ctas + cta * 2 + 1]!;
  const isOwn = (other: number): boolean =>
    shape.roleCtas[other]! >= first && shape.roleCtas[other]! < end;
  let arrived = 0;
  for (let other = 0; other < shape.roleCtas.length; other++) {
    if (isOwn(other) && words[layout.cluster + other] === SYNC_CLUSTER) arrived++;
  }
  if (arrived === 0 || arrived < living) return false;
  for (let other = 0; other < shape.roleCtas.length; other++) {
    const at = layout.cluster + other;
    if (isOwn(other) && words[at] === SYNC_CLUSTER) words[at] = SYNC_RELEASED;
  }
  return true;
}

/** Whether any role waits at the cluster barrier. */
export function anyAtCluster(words: Int32Array, layout: Layout): boolean {
  return words.subarray(layout.sync, layout.cluster).includes(SYNC_CLUSTER);
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
  for (let at = layout.sync; at < layout.cluster; at++) {
    if (words[at] === waitingFor) words[at] = SYNC_RELEASED;
  }
}
