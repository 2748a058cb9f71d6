// Instructions whose results are data: equal inputs give equal, unknown results.
import type { Instruction, Operand } from '../text/module.ts';
import { LANES } from '../values/register-file.ts';
import type { RegisterFile } from '../values/register-file.ts';
import { isCommutative, isOutOfOrder, mix, seedOf, start } from '../values/terms.ts';
import type { Wide } from '../values/wide.ts';
import type { Silent } from './elementwise.ts';
import type { Slots } from './slots.ts';
import { destinationsOf } from './slots.ts';

const out: Wide = { low: 0, high: 0 };

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

/** An instruction that computes unknown results from its inputs. */
export function data(instruction: Instruction, slots: Slots): Silent {
  const destinations = destinationsOf(instruction);
  const sources = sourcesOf(instruction.operands.slice(1), slots);
  const seed = seedOf(instruction.opcode);
  const mayCommute = sources.length >= 2 && isCommutative(instruction.opcode);
  return (warp, mask) => {
    const { registers } = warp;
    const isPerLane = sources.some((source) => registers.perLane[source] === 1);
    for (const [index, destination] of destinations.entries()) {
      if (!isPerLane) {
        term(warp.registers, 0, index);
        registers.setUniform(destination, out, false, mask, warp.lanes);
        continue;
      }
      const results = new Uint32Array(2 * LANES);
      for (let lane = 0; lane < LANES; lane++) {
        term(warp.registers, lane, index);
        results[lane] = out.low;
        results[LANES + lane] = out.high;
      }
      const base = registers.openLanes(destination, mask, warp.lanes);
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        registers.low[base + lane] = results[lane]!;
        registers.high[base + lane] = results[LANES + lane]!;
      }
      registers.known[destination]! &= ~mask;
    }
  };

  function term(registers: RegisterFile, lane: number, index: number): void {
    start(out, seed + index);
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
