// Iterates over lanes, and reads operands of a lane.
import { offsetOf, RANK_SIZE } from '../../steps/step.ts';
import { Unsupported } from '../machine/machine.ts';
import type { Operand } from '../../text/module.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { Wide } from '../../values/wide.ts';
import { unknownIn } from '../origins/open-text.ts';
import { checkOwn, checkSpace } from './state-space.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/** Reads a number below 2^32 in each lane. */
export type ReadNumber = (warp: Warp, lane: number) => number;

/** Reads an operand that has to be known; `what` names it in the error. */
export function number(operand: Operand | undefined, slots: Slots, what: string): ReadNumber {
  const register = slots.source(operand);
  return (warp, lane) => {
    if (!warp.registers.read(register, lane, out))
      throw new Unsupported(
        `${what} is ${unknownIn(warp, register, 1 << lane)}`,
        warp.stack.counter,
      );
    return out.low;
  };
}

/** Reads a memory operand: both halves of `base + offset` into `result`; whether it is known. */
export type ReadAddress = (warp: Warp, lane: number, result: Wide) => boolean;

export function address(operand: Extract<Operand, { kind: 'address' }>, slots: Slots): ReadAddress {
  const register = slots.source(operand.base);
  const { offset } = operand;
  return (warp, lane, result) => {
    const isKnown = warp.registers.read(register, lane, result);
    if (offset === 0) return isKnown;
    const sum = result.low + offset;
    result.high = (result.high + Math.floor(sum / 2 ** 32)) >>> 0;
    result.low = sum >>> 0;
    return isKnown;
  };
}

/** Reads a shared address, generic or not, as rank and offset; `isOwn`: one of the own CTA. */
export function sharedAddress(
  operand: Extract<Operand, { kind: 'address' }>,
  slots: Slots,
  isOwn: boolean,
): ReadNumber {
  const read = address(operand, slots);
  const register = slots.source(operand.base);
  return (warp, lane) => {
    if (!read(warp, lane, out))
      throw new Unsupported(
        `a shared address is ${unknownIn(warp, register, 1 << lane)}`,
        warp.stack.counter,
      );
    checkSpace(warp, 'shared', out.low, out.high);
    if (isOwn) checkOwn(warp, out.low);
    return out.low;
  };
}

/** The same address in another CTA. */
export function inRank(address: number, rank: number): number {
  return offsetOf(address) + rank * RANK_SIZE;
}

/** The ranks of the CTAs of a warp's cluster. */
export function clusterRanks({ machine, cta }: Warp): number[] {
  return Array.from({ length: machine.clusterSize }, (_, index) => cta.first + index);
}

/** The bits of a mask of CTAs, by how many it has. */
export const MASK_BITS = { 16: 0xffff, 32: 0xffff_ffff } as const;

/** The most CTAs that a mask names. */
const MASK_RANKS = 32;
const MASK_RULE = 'a bit of the mask is the rank of a CTA of the cluster';

/** The ranks of the cluster that a mask chooses. */
export function chosenRanks(warp: Warp, mask: number): number[] {
  const { clusterSize } = warp.machine;
  if (clusterSize < MASK_RANKS && mask >>> clusterSize !== 0) {
    const named = `0x${mask.toString(16)}`;
    const text = `the mask ${named} names CTAs beyond the ${clusterSize} of the cluster`;
    warp.machine.misuse('cluster-mask', warp.instruction.index, text, MASK_RULE, warp);
  }
  return clusterRanks(warp).filter((rank) => ((mask >>> (rank - warp.cta.first)) & 1) === 1);
}

/** Lanes that have the same key, in the order of their first lanes. */
export function groupLanes(
  mask: number,
  keyOf: (lane: number) => string | number,
): Map<string | number, number> {
  const groups = new Map<string | number, number>();
  if (mask === 0) return groups;
  const one = keyOf(firstLane(mask));
  let alike = mask & -mask;
  for (let rest = mask & (mask - 1); rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    if (keyOf(lane) !== one) break;
    alike |= 1 << lane;
  }
  groups.set(one, alike);
  for (let rest = mask & ~alike; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    const key = keyOf(lane);
    groups.set(key, (groups.get(key) ?? 0) | (1 << lane));
  }
  return groups;
}
