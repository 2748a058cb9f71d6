// The layout of the machine's state in one flat array of 32-bit words.
import type { MachineShape } from './shape.ts';
import { physical } from './shape.ts';

/**
 * Words of one barrier: expected arrivals E, pending arrivals P, bytes T, completed phases k. P and
 * T are neighbors: arrivals and bytes write both.
 */
export const BARRIER_WORDS = 4;
export const E = 0;
export const P = 1;
export const T = 2;
export const K = 3;
/** The value of E before `init` and after `invalidate`. */
export const UNINITIALIZED = -2;
export const INVALID = -1;

/** PTX has 16 named barriers in a CTA. */
export const NAMED_BARRIERS = 16;
/** Values of a role's word while it waits at a named or cluster barrier. */
export const SYNC_NONE = 0;
export const SYNC_RELEASED = -1;
export const SYNC_CLUSTER = -2;

export interface Layout {
  readonly barriers: number;
  readonly cells: number;
  /** Two words per CTA: 1 after its `exit`, and how many of its roles have not ended. */
  readonly ctas: number;
  /** Two words per CTA and named barrier: threads arrived, threads expected. */
  readonly named: number;
  /** One word per role: the named barrier it waits at (id + 1), or a `SYNC_` value. */
  readonly sync: number;
  /** One word per role: whether it has arrived at the split cluster barrier, and may go on. */
  readonly cluster: number;
  /** One word per CTA, where there are several grids: 1 after `launchDependents`. */
  readonly launched: number;
  /** One word per CTA, its free registers, and one per role, those of each of its threads. */
  readonly registers: number;
  /** Two words per pool: units in use, 1 after `relinquish`. */
  readonly pools: number;
  /** One word per buffer of a pool: units allocated, 0 when free. */
  readonly buffers: number;
  /** The number of open flights, then their ids. */
  readonly flights: number;
}

/** Lays the machine's words out from `base` on; the flights come last, because they vary. */
export function layOut(shape: MachineShape, base: number): Layout {
  const { ctas } = shape;
  const barriers = base;
  const cells = barriers + shape.barriers.length * ctas * BARRIER_WORDS;
  const ctaWords = cells + shape.cells.length * ctas;
  const named = ctaWords + ctas * 2;
  const sync = named + ctas * shape.named * 2;
  const cluster = sync + shape.roleCtas.length;
  const launched = cluster + shape.roleCtas.length;
  const registers = launched + (shape.grids.length > 1 ? ctas : 0);
  const pools = registers + (shape.registers === null ? 0 : ctas + shape.roleCtas.length);
  const buffers = pools + shape.pools.length * ctas * 2;
  const flights = buffers + (shape.pools.length > 0 ? shape.buffers * ctas : 0);
  const meetings = { named, sync, cluster, launched, registers };
  return { barriers, cells, ctas: ctaWords, ...meetings, pools, buffers, flights };
}

/** Writes the state before the first step. `words` must be zero from the layout's base on. */
export function writeInitial(shape: MachineShape, layout: Layout, words: Int32Array): void {
  for (let cta = 0; cta < shape.ctas; cta++) {
    shape.barriers.forEach((barrier, id) => {
      const at = layout.barriers + physical(shape, id, cta) * BARRIER_WORDS;
      words[at + E] = barrier.count > 0 ? barrier.count : UNINITIALIZED;
      words[at + P] = barrier.count;
    });
    shape.cells.forEach((value, id) => {
      words[layout.cells + physical(shape, id, cta)] = value;
    });
  }
  for (const cta of shape.roleCtas) words[layout.ctas + cta * 2 + 1]! += 1;
  writeRegisters(shape, layout, words);
}

/** Q01: each thread has what the launch gave it, and what no role has is free. */
function writeRegisters(shape: MachineShape, layout: Layout, words: Int32Array): void {
  const { registers, ctas, roleCtas } = shape;
  if (registers === null) return;
  const { perThread, threads, roles } = registers;
  for (let cta = 0; cta < ctas; cta++) words[layout.registers + cta] = perThread * threads;
  for (const [role, cta] of roleCtas.entries()) {
    words[layout.registers + ctas + role] = perThread;
    words[layout.registers + cta]! -= perThread * roles[role]!;
  }
}
