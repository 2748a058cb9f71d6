// The static shape of a machine: the declared barriers, cells and pools, once per CTA.

/**
 * How a wait recognizes a phase: by the parity of the completed phases, as on NVIDIA GPUs (M07),
 * or by a monotonic counter (M09).
 */
export type BarrierMode = (typeof BARRIER_MODES)[number];
export const BARRIER_MODES = ['parity', 'counter'] as const;

export interface BarrierShape {
  /** Arrivals per phase; 0: the program initializes it with `init`. */
  readonly count: number;
  readonly mode: BarrierMode;
  /** Whether it is in global memory: one for all CTAs, which no CTA takes along (C02). */
  readonly isGlobal?: boolean;
}

export interface PoolShape {
  /** Units (TMEM columns, bytes) that can be allocated at one time. */
  readonly capacity: number;
  /** Declared ids of the buffers that allocations hand out. */
  readonly buffers: readonly number[];
}

/**
 * The static part of a machine. Every declaration exists once in each CTA; the *physical* id of
 * declaration `id` in `cta` is `id * ctas + cta`.
 */
export interface MachineShape {
  readonly ctas: number;
  /** The CTA of every role. */
  readonly roleCtas: readonly number[];
  readonly barriers: readonly BarrierShape[];
  /** Initial values of the cells. */
  readonly cells: readonly number[];
  readonly buffers: number;
  /** Named barriers of a CTA. */
  readonly named: number;
  /** By grid: its CTAs, from `first` on, before `end`. */
  readonly grids: readonly { readonly first: number; readonly end: number }[];
  /** Buffers in global memory, which no CTA takes along when it ends. */
  readonly globals: readonly number[];
  /** Registers of each thread at the launch, threads of a CTA, and by role its threads. */
  readonly registers: {
    readonly perThread: number;
    readonly threads: number;
    readonly roles: readonly number[];
  } | null;
  readonly pools: readonly PoolShape[];
}

/** The physical id of a declaration in one CTA. */
export function physical(shape: MachineShape, id: number, cta: number): number {
  return id * shape.ctas + cta;
}

/** C02: whether a physical barrier is in global memory. */
export function isGlobalBarrier({ barriers, ctas }: MachineShape, barrier: number): boolean {
  return barriers[Math.floor(barrier / ctas)]?.isGlobal === true;
}
