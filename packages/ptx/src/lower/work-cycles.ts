// How long the tensor core works on an instruction, by the shape that its name has.

/** Columns that a warpgroup's m64nNk16 (16 bits) or m64nNk32 (8 bits) has in two cycles. */
const COLUMNS_OF_CYCLE = 2;
/** The warps of a warpgroup, each of which is a role with a quarter of the work. */
const WARPS = 4;

/**
 * Cycles of the part of one warp, as a share of the tensor cores of an SM or of that of its quarter
 * alone; 0 where the name has no shape: as long as the model says.
 */
export function workCyclesOf(opcode: string, isOfQuarter = false): number {
  const shape = /^wgmma\.mma_async\..*m64n(\d+)k\d+/.exec(opcode);
  if (shape === null) return 0;
  return Number(shape[1]) / COLUMNS_OF_CYCLE / (isOfQuarter ? 1 : WARPS);
}
