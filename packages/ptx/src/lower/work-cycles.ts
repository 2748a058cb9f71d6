// How long the tensor core works on an instruction, by its shape.
import type { Effect } from '../isa/effect.ts';

/** Columns that a warpgroup's m64nNk16 (16 bits) or m64nNk32 (8 bits) has in two cycles. */
const COLUMNS_OF_CYCLE = 2;
/** The warps of a warpgroup, each of which is a role with a quarter of the work. */
const WARPS = 4;

/**
 * Cycles of the part of one warp, as a share of the tensor cores of an SM; 0 where it names no
 * shape: as long as the model says.
 */
export function workCyclesOf(effect: Effect | null): number {
  if (effect?.kind !== 'wgmma') return 0;
  return effect.columns / COLUMNS_OF_CYCLE / WARPS;
}
