// wgmma: warpgroup matrix work that reads shared memory through descriptors.
import { Unsupported } from '../machine/machine.ts';
import { inRank } from './lane.ts';
import { rankOf } from '../../steps/step.ts';
import type { WarpgroupMatrix } from '../../isa/effect.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { visible } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { productOfWarp } from './data.ts';
import { descriptorRanges } from './descriptors.ts';
import type { DescriptorKind, MatrixShape } from './descriptors.ts';
import { tensorFence } from './fences.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };
/** K times the element size of one dense instruction. */
const DEPTH_BYTES = 32;
/** Rows of A of one warpgroup. */
const ROWS = 64;

/** Reads the ranges of a descriptor in a register, in the CTA of the warp. */
export function readDescriptor(
  operand: Operand | undefined,
  slots: Slots,
  kind: DescriptorKind,
): (warp: Warp, lane: number, shape: MatrixShape) => number[] {
  const register = slots.source(operand);
  return (warp, lane, shape) => {
    if (!warp.registers.read(register, lane, out))
      throw new Unsupported('a matrix descriptor is unknown data', warp.stack.counter);
    return inCta(warp, descriptorRanges(out.low, out.high, shape, kind));
  };
}

/** Ranges without a rank lie in the warp's own CTA. */
export function inCta(warp: Warp, ranges: readonly number[]): number[] {
  return ranges.map((value, index) => {
    const from = index % 2 === 0 ? value : ranges[index - 1]!;
    return rankOf(from) > 0 ? value : inRank(from, warp.cta.rank) + (value - from);
  });
}

function immediates(operands: readonly Operand[]): number[] {
  return operands.flatMap((operand) => (operand.kind === 'immediate' ? [operand.value.low] : []));
}

/** Whether A and B lie with consecutive bytes along their rows. */
type Transposes = readonly [boolean, boolean];

/** scale-d, imm-scale-a, imm-scale-b[, imm-trans-a], imm-trans-b: scale-d is mostly a predicate. */
function transposesOf({ operands }: Instruction): Transposes {
  const flags = immediates(operands.slice(3));
  if (flags.length >= 4) return [flags.at(-2) === 1, flags.at(-1) === 1];
  return [false, operands[1]?.kind === 'vector' && flags.length === 3 && flags[2] === 1];
}

/** Which operand says whether the product is added to; sparse ones have two more before it. */
const SCALE = 3;

/** One instruction on its shape, with A in registers or behind a descriptor. */
function multiply(
  instruction: Instruction,
  { columns, isSparse }: WarpgroupMatrix,
  slots: Slots,
): Action {
  const [isRowMajorA, isRowMajorB] = transposesOf(instruction);
  const [, a, b] = instruction.operands;
  const readA = a?.kind === 'vector' ? null : readDescriptor(a, slots, 'sm90');
  const readB = readDescriptor(b, slots, 'sm90');
  const scale = instruction.operands[isSparse ? SCALE + 2 : SCALE];
  const isIdle = slots.slice?.isData(instruction) === true;
  const results = isIdle ? null : productOfWarp(instruction, slots, scale);
  const depthOfB = isSparse ? 2 * DEPTH_BYTES : DEPTH_BYTES;
  const ofA = { rows: ROWS, depthBytes: DEPTH_BYTES, isRowMajor: isRowMajorA };
  const ofB = { rows: columns, depthBytes: depthOfB, isRowMajor: isRowMajorB };
  return visible((warp, mask) => {
    const lane = firstLane(mask);
    const reads = [...(readA === null ? [] : readA(warp, lane, ofA)), ...readB(warp, lane, ofB)];
    warp.record({ op: 'use', at: instruction.index, unit: 'wgmma', reads, writes: [] }, mask);
    results?.(warp, mask, reads);
    return Status.done;
  });
}

/** Warpgroup matrix work, and the fence of its registers; its groups are those of `copies.ts`. */
export const wgmma: BuilderOf<WarpgroupMatrix> = (instruction, effect, slots) =>
  effect.op === 'fence' ? tensorFence('wgmma', instruction) : multiply(instruction, effect, slots);
