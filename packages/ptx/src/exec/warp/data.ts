// Instructions whose results are data: equal inputs give equal, unknown results.
import { isCommutative } from '../../isa/questions.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { LaneTerms } from '../../values/lane-terms.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { isOutOfOrder, mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { Silent } from './elementwise.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';
import { withDataOrigins } from '../origins/expressions.ts';
import { destinationsOf } from '../../flow/destinations.ts';

const out: Wide = { low: 0, high: 0 };
const terms = new LaneTerms();
/** Warps of a warpgroup: each has its rows of a product. */
const WARPS_OF_GROUP = 4;

/** Registers that operands read. */
function sourcesOf(operands: readonly Operand[], slots: Slots): number[] {
  return operands.flatMap((operand): number[] => {
    switch (operand.kind) {
      case 'register':
      case 'immediate':
      case 'symbol':
      case 'special':
        return [slots.source(operand)];
      case 'not':
        return sourcesOf([operand.operand], slots);
      case 'vector':
      case 'list':
        return sourcesOf(operand.elements, slots);
      case 'pair':
        return sourcesOf([operand.first, operand.second], slots);
      case 'address':
        return sourcesOf([operand.base, ...operand.more], slots);
      case 'sink':
        return [];
    }
  });
}

/**
 * An instruction of a whole warp whose results are data that differs by lane, and depends on the
 * inputs of all lanes; `isFresh`: on memory, too, so that no two executions have the same results.
 */
export function dataOfWarp(instruction: Instruction, slots: Slots, isFresh: boolean): Silent {
  const sources = isFresh ? [] : sourcesOf(instruction.operands.slice(1), slots);
  const give = giveLanes(instruction, sources);
  const seed = seedOf(instruction.opcode);
  return (warp, mask) => {
    start(out, seed);
    if (isFresh) mix(out, warp.machine.fresh(), 0, 1);
    give(warp, mask);
  };
}

/**
 * The same of a warp in a warpgroup: its part depends on all operands, and on memory; on what it
 * adds to only where the operand `scale` is not known to be zero.
 */
export function productOfWarp(
  instruction: Instruction,
  slots: Slots,
  scale: Operand | undefined,
): (warp: Warp, mask: number, reads: readonly number[]) => void {
  const { operands } = instruction;
  const add = giveLanes(instruction, sourcesOf(operands, slots));
  const give = giveLanes(instruction, sourcesOf(operands.slice(1), slots));
  const ofScale = scale === undefined ? null : slots.source(scale);
  return (warp, mask, reads) => {
    start(out, seedOf(instruction.opcode));
    mix(out, instruction.index, warp.number % WARPS_OF_GROUP, 1);
    if (warp.turns.isBlind || warp.mode.isUncertain) mix(out, warp.machine.fresh(), 0, 1);
    warp.machine.memory.mixContents(reads, out);
    const isNew = ofScale !== null && isZero(warp.registers, ofScale, mask);
    (isNew ? give : add)(warp, mask);
  };
}

/** Whether a register is known to be zero in all lanes of a mask. */
function isZero(registers: RegisterFile, register: number, mask: number): boolean {
  if ((registers.known[register]! & mask) !== mask) return false;
  for (let rest = mask; rest !== 0; rest &= rest - 1)
    if (registers.low[registers.slot(register, 31 - Math.clz32(rest & -rest))] !== 0) return false;
  return true;
}

/** Gives the destinations a term each, of the one that was started and of sources in all lanes. */
function giveLanes(instruction: Instruction, sources: readonly number[]): Silent {
  const destinations = destinationsOf(instruction);
  return (warp, mask) => {
    const { registers } = warp;
    for (const source of sources) {
      const isOne = registers.perLane[source] === 0;
      for (let rest = isOne ? 1 : mask; rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        const slot = registers.slot(source, lane);
        mix(
          out,
          registers.low[slot]!,
          registers.high[slot]!,
          (registers.known[source]! >>> lane) & 1,
        );
      }
    }
    vary(out);
    for (let index = 0; index < destinations.length; index++) {
      registers.setUniform(destinations[index]!, out, false, mask, warp.lanes);
      mix(out, index, 0, 0);
    }
  };
}

/** An instruction that computes unknown results from its inputs. */
export function data(instruction: Instruction, slots: Slots): Silent {
  const destinations = destinationsOf(instruction);
  const sources = sourcesOf(instruction.operands.slice(1), slots);
  const seed = seedOf(instruction.opcode);
  const mayCommute = sources.length >= 2 && isCommutative(instruction);
  return withDataOrigins(instruction, { seed, sources, destinations }, plain);

  function plain(warp: Warp, mask: number): void {
    const { registers } = warp;
    if (!sources.some((source) => registers.perLane[source] === 1)) {
      term(registers, 0);
      for (let index = 0; index < destinations.length; index++) {
        registers.setUniform(destinations[index]!, out, false, mask, warp.lanes);
        mix(out, index, 0, 0);
      }
      return;
    }
    // Destinations may be among the sources, which all lanes read first.
    start(out, seed);
    terms.start(out);
    let at = 0;
    if (mayCommute) {
      terms.mixBoth(registers, sources[0]!, sources[1]!, mask);
      at = 2;
    }
    for (; at < sources.length; at++) terms.mix(registers, sources[at]!, mask);
    for (let index = 0; index < destinations.length; index++) {
      const destination = destinations[index]!;
      const base = registers.openLanes(destination, mask, warp.lanes);
      terms.store(registers, base, mask);
      if (index < destinations.length - 1) terms.mixNumber(index, mask);
      registers.known[destination]! &= ~mask;
    }
  }

  /** The term of the inputs in a lane; each destination has one that follows from the last. */
  function term(registers: RegisterFile, lane: number): void {
    start(out, seed);
    const isSwapped = mayCommute && isSwappedAt(registers, lane);
    for (let at = 0; at < sources.length; at++) {
      const source = sources[isSwapped && at < 2 ? 1 - at : at]!;
      const slot = registers.slot(source, lane);
      mix(
        out,
        registers.low[slot]!,
        registers.high[slot]!,
        registers.isKnown(source, lane) ? 1 : 0,
      );
    }
  }

  function isSwappedAt(registers: RegisterFile, lane: number): boolean {
    const first = registers.slot(sources[0]!, lane);
    const second = registers.slot(sources[1]!, lane);
    const { low, high } = registers;
    return isOutOfOrder(low[first]!, high[first]!, low[second]!, high[second]!);
  }
}
