// How long the tensor cores of an SM work on a product of a warpgroup.
import type { Instruction } from '../text/module.ts';
import type { InstructionCosts } from './instruction-times.ts';

/** Products of 16 bits that a tensor core makes in a cycle: 4,096 FLOP of the four of an SM. */
const PRODUCTS_PER_CYCLE = 512;
/** Rows of a warpgroup, and of one of its four warps. */
const ROWS = 64;
const WARP_ROWS = 16;
/** Bytes of a row of A, and of a column of B, whatever the type. */
const DEPTH_BYTES = 32;
/** Bytes that shared memory delivers in a cycle: its 32 banks (CUDA C++ Programming Guide). */
const SHARED_BYTES_PER_CYCLE = 128;
/** Cycles in which a warp delivers its rows of A from registers: bench/h200/products.csv. */
const REGISTERS_CYCLES = 13;

/**
 * Cycles of each of the four tensor cores: those in which it multiplies, or those in which its
 * operands are delivered where these are more, as with few columns.
 */
export function productCyclesOf(instruction: Instruction): number {
  return Math.max(multiplyingCyclesOf(instruction), deliveringCyclesOf(instruction));
}

/** The same without the overhead that the tensor core adds to each, which delivery hides. */
export function workCyclesOf(
  instruction: Instruction,
  { mmaOverheadCycles }: Pick<InstructionCosts, 'mmaOverheadCycles'>,
): number {
  const delivering = deliveringCyclesOf(instruction) - mmaOverheadCycles;
  return Math.max(multiplyingCyclesOf(instruction), delivering);
}

/** The cycles in which a tensor core multiplies. */
export function multiplyingCyclesOf({ effect }: Instruction): number {
  if (effect.kind !== 'wgmma' || effect.op !== 'multiply') return 0;
  const { columns, depth, types, isSparse } = effect;
  const narrow = types.some(({ bits }) => bits === 8) ? 2 : 1;
  const wide = types.some(({ name }) => name === 'tf32') ? 2 : 1;
  const rate = (PRODUCTS_PER_CYCLE * narrow * (isSparse ? 2 : 1)) / wide;
  return (WARP_ROWS * columns * depth) / rate;
}

/** B comes from shared memory, and A before it, or from registers beside it. */
function deliveringCyclesOf({ effect, operands }: Instruction): number {
  if (effect.kind !== 'wgmma' || effect.op !== 'multiply') return 0;
  const ofB = effect.columns * DEPTH_BYTES * (effect.isSparse ? 2 : 1);
  if (operands[1]?.kind === 'vector')
    return Math.max(REGISTERS_CYCLES, ofB / SHARED_BYTES_PER_CYCLE);
  return (ROWS * DEPTH_BYTES + ofB) / SHARED_BYTES_PER_CYCLE;
}
