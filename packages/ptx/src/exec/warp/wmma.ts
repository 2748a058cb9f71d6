// `wmma.load` and `wmma.store`: a warp accesses the lines of a matrix together.
import { SHARED_WINDOW } from '../../launch/windows.ts';
import { Unsupported } from '../machine/machine.ts';
import type { WarpMatrix } from '../../isa/effect.ts';
import type { Instruction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { addressOf, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { dataOfWarp } from './data.ts';
import { address } from './lane.ts';
import { placeOf } from './global-lanes.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { mayBeShared } from './memory.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

/** The lines of a matrix in memory: rows, or columns where they are contiguous. */
export interface Lines {
  readonly count: number;
  /** Elements of a line, and the bits of each. */
  readonly length: number;
  readonly bits: number;
}

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };

export function linesOf({ shape: [m, n, k], matrix, isColumnMajor, types }: WarpMatrix): Lines {
  const bits = types[0]?.bits ?? 0;
  const [rows, columns] = matrix === 'a' ? [m, k] : matrix === 'b' ? [k, n] : [m, n];
  return isColumnMajor
    ? { count: columns, length: rows, bits }
    : { count: rows, length: columns, bits };
}

/** Builds the access of a warp to a matrix: all lanes give the same address and stride. */
function matrixOfWarp(instruction: Instruction, effect: WarpMatrix, slots: Slots): Action {
  const { operands, index } = instruction;
  const isStore = effect.op === 'store';
  const { space } = effect;
  const lines = linesOf(effect);
  const operand = addressOf(instruction, isStore ? 0 : 1);
  const read = address(operand, slots);
  const stride = operands[2] === undefined ? -1 : slots.source(operands[2]);
  const isIdle = isStore || slots.slice?.isData(instruction) === true;
  const results = isIdle ? null : dataOfWarp(instruction, slots, true);
  const lineBytes = (lines.length * lines.bits) / 8;
  const isInShared = (warp: Warp, isKnown: boolean): boolean => {
    if (isKnown) return space === 'shared' || (space === 'generic' && at.high === SHARED_WINDOW);
    if (mayBeShared(warp, instruction, space, operand))
      throw new Unsupported('a shared address is unknown data', index);
    return false;
  };
  return {
    kind: 'visible',
    mayLookAhead: false,
    isAccess: true,
    run: (warp, mask) => {
      const lane = firstLane(mask);
      const isKnown = read(warp, lane, at);
      const { low } = at;
      const isShared = isInShared(warp, isKnown);
      if (!isShared && slots.isGrid)
        throw new Unsupported('a matrix in global memory is not followed between blocks', index);
      const hasStride = stride < 0 || warp.registers.read(stride, lane, value);
      const step = stride < 0 ? lineBytes : (value.low * lines.bits) / 8;
      if (isShared && !hasStride)
        throw new Unsupported('the stride of a matrix is unknown data', index);
      const isGlobal = isKnown && !isShared && space !== 'local';
      const ranges = isGlobal && hasStride ? comparedLines(warp, lines.count, step, lineBytes) : [];
      const count = isShared ? lines.count : 0;
      for (let line = 0; line < count; line++) {
        const from = low + line * step;
        if (!warp.machine.memory.has(from, lineBytes))
          warp.machine.checkBounds(warp, warp.stack.counter, from, lineBytes);
        ranges.push(from, from + lineBytes);
        if (isStore) warp.machine.memory.overwrite(from, from + lineBytes);
      }
      const bytes = hasStride ? (lines.count - 1) * step + lineBytes : 1 << 30;
      if (isStore && isGlobal) warp.machine.global.overwrite(low, at.high, bytes);
      results?.(warp, mask);
      recordLines(warp, index, isStore, ranges, mask);
      return Status.done;
    },
  };
}

/** Adds the access to lines that are compared. */
function recordLines(
  warp: Warp,
  at: number,
  isStore: boolean,
  ranges: readonly number[],
  mask: number,
): void {
  if (ranges.length === 0) return;
  const [reads, writes] = isStore ? [[], ranges] : [ranges, []];
  warp.record({ op: 'access', at, kind: 'plain', values: [], reads, writes }, mask);
}

/** The lines of a matrix in global memory that begins at `at`, where they are compared. */
function comparedLines(warp: Warp, count: number, step: number, bytes: number): number[] {
  const { compared } = warp.machine;
  const first = at.high * 2 ** 32 + at.low;
  const lines = Array.from({ length: count }, (_, line) => first + line * step);
  if (compared === null || !lines.some((from) => compared.bytes.meets(from, from + bytes)))
    return [];
  return lines.flatMap((from) => [placeOf(warp, from), placeOf(warp, from) + bytes]);
}

/** `mma` and `wmma`: products are data of all lanes together. */
export const warpMatrix: BuilderOf<WarpMatrix> = (instruction, effect, slots) =>
  effect.op === 'multiply'
    ? silent(dataOfWarp(instruction, slots, false))
    : matrixOfWarp(instruction, effect, slots);
