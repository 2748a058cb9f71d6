// Accesses to shared memory at an address that is data: which bytes they may touch.
import { isDrawn } from '../../flow/drawn.ts';
import { WITHIN_VARIABLE } from '../machine/machine.ts';
import { offsetOf } from '../../steps/step.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { dataRange } from './data-range.ts';
import { clusterRanks, inRank } from './lane.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/**
 * Adds the bytes that a lane may touch: those that masks and the like leave of the variable that
 * the address is derived from.
 *
 * @returns Whether some data leads the lane to each of them.
 */
export function touchUnknown(
  warp: Warp,
  { index }: Instruction,
  operand: Operand,
  lane: number,
  bytes: number,
  list: number[],
): boolean {
  const { machine } = warp;
  const ranges = machine.rangesOf(index, operand);
  const data = dataRange(warp, machine.program.provenance.definitions, operand, index, lane);
  const ranks = ranksOf(warp, index, operand, lane);
  const first = data === null ? 0 : offsetOf(data.from);
  const end = data === null ? Infinity : first + data.to - data.from + bytes;
  let isWithin = false;
  let isPart = false;
  for (let range = 0; range < ranges.length; range += 2) {
    const [from, to] = [Math.max(ranges[range]!, first), Math.min(ranges[range + 1]!, end)];
    isWithin ||= first >= ranges[range]! && end <= ranges[range + 1]!;
    if (from >= to) continue;
    isPart = true;
    add(list, from, to, ranks);
  }
  if (!isWithin) machine.assume(index, 'address-data', WITHIN_VARIABLE, { isOfAddress: true });
  if (!isPart)
    for (let range = 0; range < ranges.length; range += 2)
      add(list, ranges[range]!, ranges[range + 1]!, ranks);
  return isWithin && data!.isEach && data!.step <= bytes;
}

const OWN_PLACES = 'threads that draw numbers from a counter store at places of their own';
/** Makes identities of values that no register has. */
const NO_REGISTER = 2 ** 41;

/**
 * Stores of one instruction at numbers that threads have drawn do not meet: what each leaves counts
 * as the same.
 */
export function valuesAtDrawn(
  warp: Warp,
  { index }: Instruction,
  operand: Operand,
  writes: readonly number[],
  values: number[],
): void {
  const { machine } = warp;
  if (!isDrawn(machine.program.provenance.definitions, operand, index)) return;
  machine.assume(index, 'disjoint-data', OWN_PLACES);
  for (let range = 0; range < writes.length; range += 2) values.push(index, NO_REGISTER);
}

/** Adds a range of several CTAs, unless another lane of the warp touches it. */
function add(list: number[], from: number, to: number, ranks: readonly number[]): void {
  for (const rank of ranks) {
    const start = inRank(from, rank);
    let isNew = true;
    for (let index = 0; index < list.length && isNew; index += 2)
      isNew = list[index] !== start || list[index + 1] !== start + to - from;
    if (isNew) list.push(start, start + to - from);
  }
}

/** The CTAs whose shared memory an access at an unknown address may touch. */
function ranksOf(warp: Warp, index: number, operand: Operand, lane: number): readonly number[] {
  const { machine, cta } = warp;
  if (machine.clusterSize === 1) return [cta.rank];
  const maps = machine.program.provenance.mapsOf(operand, index);
  if (maps.length === 0) return [cta.rank];
  const ranks = new Set<number>();
  for (const { operands } of maps) {
    const rank = rankOfMap(warp, operands[2], lane);
    if (rank === null || rank >= machine.clusterSize) return clusterRanks(warp);
    ranks.add(cta.first + rank);
  }
  return [...ranks];
}

/** The rank that a `mapa` names; `null` where it is not known. */
function rankOfMap({ registers }: Warp, operand: Operand | undefined, lane: number): number | null {
  if (operand?.kind === 'immediate') return operand.value.low;
  if (operand?.kind !== 'register') return null;
  return registers.read(operand.register, lane, out) ? out.low : null;
}
