// `ldmatrix` and `stmatrix`: each of the first lanes gives the address of a row of 16 bytes.
import { Unsupported } from '../machine/machine.ts';
import type { MatrixAccess } from '../../isa/effect.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import { OPAQUE } from '../../values/origin.ts';
import { storedOf } from '../origins/expressions.ts';
import { LEFT_OUT } from '../../steps/step.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { deliver } from './access-form.ts';
import { checkShared } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { addressOf, silent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { dataOfWarp } from './data.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { Status } from './program.ts';
import { checkOwn, checkSpace } from './state-space.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';
import type { Warp } from './warp.ts';

const ROW_BYTES = 16;
const ROW_RULE = 'the address of a row of a matrix is a multiple of 16';
/** Rows of a matrix of elements of 16 bits, and the lanes that get a part of each. */
const ROWS = 8;
const LANES_OF_ROW = 4;

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };
const second: Wide = { low: 0, high: 0 };

/** Gives each lane what it gets of the rows: equal memory gives equal values. */
type Loader = (warp: Warp, mask: number, rows: readonly number[]) => void;

/** The ranges that a store writes, and what is stored in each, if that is followed. */
interface Written {
  readonly writes: readonly number[];
  readonly values: readonly number[];
}

/** The registers of a vector, or the one register. */
function elementsOf(operand: Operand | undefined): readonly (Operand | undefined)[] {
  return operand?.kind === 'vector' ? operand.elements : [operand];
}

/** The register of each matrix: 4 bytes of a row, or 2 of each of two rows if transposed. */
function loaderOf(
  { opcode, operands }: Instruction,
  { isOfHalves, isTransposed }: MatrixAccess,
  slots: Slots,
): Loader {
  const registers = elementsOf(operands[0]).map((each) => slots.destination(each));
  if (!isOfHalves) return together(registers, seedOf(opcode));
  return (warp, mask, rows) => {
    for (const [matrix, register] of registers.entries())
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const lane = firstLane(rest);
        const [row, column] = [Math.floor(lane / LANES_OF_ROW), lane % LANES_OF_ROW];
        const first = matrix * ROWS;
        const isKnown = isTransposed
          ? loadPair(warp, rows[first + 2 * column]!, rows[first + 2 * column + 1]!, 2 * row)
          : warp.machine.memory.load(rows[first + row]! + 4 * column, 4, value);
        if (warp.turns.isBlind) mix(value, warp.machine.fresh(), lane, 0);
        deliver(warp, register, lane, value, isKnown && !warp.turns.isBlind, 0);
      }
  };
}

/** Two elements of 16 bits, one of each row. */
function loadPair({ machine }: Warp, row: number, next: number, offset: number): boolean {
  const isLowKnown = machine.memory.load(row + offset, 2, value);
  const isHighKnown = machine.memory.load(next + offset, 2, second);
  if (isLowKnown && isHighKnown) {
    value.low = (value.low | (second.low << 16)) >>> 0;
    value.high = 0;
    return true;
  }
  start(at, seedOf('pair'));
  mix(at, value.low, value.high, isLowKnown ? 1 : 0);
  mix(at, second.low, second.high, isHighKnown ? 1 : 0);
  value.low = at.low;
  value.high = at.high;
  return false;
}

/** Other shapes: a value for each lane that depends on all rows. */
function together(registers: readonly number[], seed: number): Loader {
  return (warp, mask, rows) => {
    start(at, seed);
    if (warp.turns.isBlind) mix(at, warp.machine.fresh(), 0, 1);
    for (const row of rows)
      for (let offset = 0; offset < ROW_BYTES; offset += 4) {
        const isKnown = warp.machine.memory.load(row + offset, 4, value);
        mix(at, value.low, value.high, isKnown ? 1 : 0);
      }
    vary(at);
    for (const [index, register] of registers.entries()) {
      warp.registers.setUniform(register, at, false, mask, warp.lanes);
      mix(at, index, 0, 0);
    }
  };
}

/** What each lane gives of the rows, in parts of 4 bytes, or of 2 if transposed. */
function storerOf(
  instruction: Instruction,
  { isOfHalves: isFollowed, isTransposed }: MatrixAccess,
  slots: Slots,
) {
  const { operands } = instruction;
  const registers = elementsOf(operands[1]).map((each) => slots.source(each));
  const isLeftOut = slots.slice?.leavesOut(instruction) === true;
  const bytes = isTransposed ? 2 : 4;
  return (warp: Warp, rows: readonly number[]): Written => {
    const writes: number[] = [];
    const values: number[] = [];
    const { memory } = warp.machine;
    for (const [index, row] of rows.entries()) {
      if (!isFollowed) {
        memory.overwrite(row, row + ROW_BYTES);
        writes.push(row, row + ROW_BYTES);
        continue;
      }
      const register = registers[Math.floor(index / ROWS)]!;
      const line = index % ROWS;
      for (let part = 0; part < ROW_BYTES / bytes; part++) {
        const from = row + part * bytes;
        writes.push(from, from + bytes);
        if (isLeftOut) continue;
        const lane = isTransposed ? LANES_OF_ROW * part + (line >> 1) : LANES_OF_ROW * line + part;
        const isKnown = warp.registers.read(register, lane, value) && !warp.mode.isUncertain;
        if (isTransposed) halve(line & 1, isKnown);
        const source = storedOf(warp, register, lane);
        const own = isTransposed && source !== null ? { ...source, origin: OPAQUE } : source;
        memory.store(from, bytes, value, isKnown, own);
        warp.machine.strongLoads.overwrites({ address: from, bytes });
        values.push(value.low, isKnown ? 0 : value.high);
      }
    }
    // Of two rows in one place it is not said which is the last.
    for (const [index, row] of rows.entries())
      if (rows.indexOf(row) !== index) memory.overwrite(row, row + ROW_BYTES);
    return { writes, values: isLeftOut ? LEFT_OUT : values };
  };
}

/** Makes one half of 16 bits of the value. */
function halve(half: number, isKnown: boolean): void {
  if (isKnown) value.low = (value.low >>> (16 * half)) & 0xffff;
  else mix(value, half, 2, 1);
}

/** Builds the access of a warp to the rows whose addresses its first lanes give. */
function rowAccess(instruction: Instruction, effect: MatrixAccess, slots: Slots): Action {
  const isStore = effect.op === 'store';
  const read = address(addressOf(instruction, isStore ? 0 : 1), slots);
  const isIdle = slots.slice?.isData(instruction) === true;
  const load = isStore || isIdle ? null : loaderOf(instruction, effect, slots);
  const results = load === null ? [] : destinationsOf(instruction);
  const store = isStore ? storerOf(instruction, effect, slots) : null;
  // A matrix of 16 rows has the addresses of two of 8.
  const count = (effect.shape === 'm16n16' ? 2 * ROWS : ROWS) * effect.count;
  return {
    kind: 'visible',
    mayLookAhead: false,
    isAccess: true,
    run: (warp, mask) => {
      const rows: number[] = [];
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const lane = firstLane(rest);
        if (lane >= count) break;
        if (!read(warp, lane, at))
          throw new Unsupported('a shared address is unknown data', instruction.index);
        checkSpace(warp, 'shared', at.low, at.high);
        checkOwn(warp, at.low);
        checkShared(warp, at.low, ROW_BYTES, ROW_RULE);
        warp.machine.checkBounds(warp, instruction.index, at.low, ROW_BYTES);
        if (isStore) writeData(warp, at.low, at.low + ROW_BYTES);
        rows.push(at.low);
      }
      load?.(warp, mask, rows);
      if (warp.machine.memory.hasOrigins)
        for (const register of results) warp.registers.setOrigin(register, OPAQUE);
      const step = { op: 'access', at: instruction.index, kind: 'plain' } as const;
      const touched = store?.(warp, rows);
      if (touched !== undefined) warp.record({ ...step, reads: [], ...touched }, mask);
      else {
        const reads = rows.flatMap((row) => [row, row + ROW_BYTES]);
        warp.record({ ...step, reads, writes: [], values: [] }, mask);
      }
      return Status.done;
    },
  };
}

/** `ldmatrix`, `stmatrix`; `movmatrix` gives data of all lanes together. */
export const matrix: BuilderOf<MatrixAccess> = (instruction, effect, slots) =>
  effect.op === 'transpose'
    ? silent(dataOfWarp(instruction, slots, false))
    : rowAccess(instruction, effect, slots);
