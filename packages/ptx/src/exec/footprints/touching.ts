// Which instructions touch global memory, and how to read where they do from the registers that a
// warp has before it executes them.
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import type { Access, Copy, WarpMatrix } from '../../isa/effect.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import type { Wide } from '../../values/wide.ts';
import { formOf } from '../warp/access-form.ts';
import { addressOf, addressWith, operandOf } from '../warp/builder.ts';
import { mapKey } from '../../launch/map-key.ts';
import { address } from '../warp/lane.ts';
import type { ReadAddress } from '../warp/lane.ts';
import type { Slots } from '../warp/slots.ts';
import type { Warp } from '../warp/warp.ts';
import { LINE } from '../warp/other.ts';
import { linesOf } from '../warp/wmma.ts';
import { reachOf } from '../../steps/reach.ts';
import type { Effect, StoredElements } from '../../steps/touches.ts';
import type { GlobalTouches } from './touches.ts';

/** An instruction that touches global memory. */
export interface Touching {
  readonly index: number;
  /** Its operand with the address. */
  readonly operand: Operand;
  /** The registers that say where. */
  readonly registers: readonly number[];
  readonly effect: Effect;
  /** Notes what lanes of a warp touch. */
  readonly note: (warp: Warp, touches: GlobalTouches, lanes: number) => void;
}

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };

const APART: ReadonlySet<number> = new Set([SHARED_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW]);

/** How a register follows from the place of the block; `null`: it does not. */
function originIn({ depends, origins }: RegisterFile, register: number): Origin | null {
  return depends[register] === 1 ? origins[register]! : null;
}

/** Reads addresses of lanes into `into`; those that are known to be global, and unknown ones. */
function readLanes(
  warp: Warp,
  read: ReadAddress,
  lanes: number,
  into: Float64Array,
): { readonly known: number; readonly unknown: number } {
  let known = 0;
  let unknown = 0;
  for (let rest = lanes; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if (!read(warp, lane, at)) unknown |= 1 << lane;
    else if (!APART.has(at.high)) {
      known |= 1 << lane;
      into[lane] = at.high * 2 ** 32 + at.low;
    }
  }
  return { known, unknown };
}

/** The lanes that come to an instruction which other blocks may execute in others of them. */
function lanesAt({ mode: { picked } }: Warp, lanes: number): number {
  return picked === null ? lanes : picked.mask;
}

function threadAccess(
  instruction: Instruction,
  access: Access,
  slots: Slots,
  isUsed: (register: number) => boolean,
): Touching | null {
  const { op, space, isMultimem } = access;
  if ((space !== 'global' && space !== 'generic') || isMultimem) return null;
  if (op === 'discard') return discarded(instruction, slots);
  const form = formOf(instruction, access, slots);
  const operand = addressOf(instruction, op === 'store' || op === 'reduction' ? 0 : 1);
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const { index } = instruction;
  const bytes = form.bytes * form.width;
  const isLeftOut = slots.slice?.leavesOut(instruction) === true;
  const isRead = op === 'load' || (op === 'atomic' && form.results.some(isUsed));
  const reach = reachOf(access);
  const what = { isRead, isWrite: op !== 'load', kind: form.kind, bytes, unit: bytes };
  const effect = reach === undefined ? what : { ...what, reach };
  return {
    index,
    operand,
    registers: [base],
    effect,
    note: (warp, touches, mask) => {
      const lanes = lanesAt(warp, mask);
      const { known, unknown } = readLanes(warp, read, lanes, touches.addresses);
      const isOther =
        space === 'generic' &&
        unknown !== 0 &&
        warp.machine.isDerivedFromShared(instruction.index, operand);
      if (unknown !== 0 && !isOther) touches.addUnknown(index, effect, false);
      if (known === 0) return;
      const stored =
        op === 'store'
          ? isLeftOut
            ? STORED_ANYTHING
            : storedFrom(warp, form.values, known)
          : null;
      touches.add(
        warp,
        index,
        known,
        effect,
        { origin: originIn(warp.registers, base), offset: operand.offset },
        stored,
      );
    },
  };
}

/** `discard`, which writes what is not known. */
function discarded(instruction: Instruction, slots: Slots): Touching {
  const operand = addressOf(instruction, 0);
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const { index } = instruction;
  const what = { isRead: false, isWrite: true, kind: 'plain' } as const;
  const effect = { ...what, bytes: LINE, unit: LINE };
  return {
    index,
    operand,
    registers: [base],
    effect,
    note: (warp, touches, mask) => {
      const { known, unknown } = readLanes(warp, read, lanesAt(warp, mask), touches.addresses);
      if (unknown !== 0) touches.addUnknown(index, effect, false);
      const from = { origin: originIn(warp.registers, base), offset: operand.offset };
      if (known !== 0) touches.add(warp, index, known, effect, from, null);
    },
  };
}

/** What was left out, because it decides nothing. */
export const STORED_ANYTHING: StoredElements = { origins: [], fixed: null, isLeftOut: true };

/** What lanes store from registers. */
function storedFrom(
  { registers, mode: { isUncertain } }: Warp,
  values: readonly number[],
  lanes: number,
): StoredElements {
  const origins = values.map((register) => originIn(registers, register));
  const isKnown = (register: number): boolean => (lanes & ~registers.known[register]!) === 0;
  const areFixed = origins.every((each) => each === null) && values.every(isKnown);
  if (!areFixed || isUncertain) return { origins, fixed: null };
  const numbers: number[] = [];
  for (const register of values)
    for (let rest = lanes; rest !== 0; rest &= rest - 1) {
      registers.read(register, 31 - Math.clz32(rest & -rest), value);
      numbers.push(value.low, value.high);
    }
  return { origins, fixed: numbers.join() };
}

/** `cp.async`, which reads as much as an operand says. */
function threadCopy(instruction: Instruction, slots: Slots): Touching {
  const operand = addressWith(instruction, 'from');
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const { index, operands, roles } = instruction;
  const size = operandOf(instruction, 'bytes');
  const bytes = size.kind === 'immediate' ? size.value.low : 16;
  const access = { isRead: true, isWrite: false, kind: 'plain' } as const;
  const effect = { ...access, bytes, unit: bytes, isCopy: true } as const;
  const used = roles.policy === 3 ? undefined : operands[3];
  const sized = used === undefined ? -1 : slots.source(used);
  return {
    index,
    operand,
    registers: sized < 0 ? [base] : [base, sized],
    effect,
    note: (warp, touches, mask) => {
      const { registers, program } = warp;
      const isSize = sized >= 0 && (used?.kind === 'immediate' || program.bitsOf(sized) === 32);
      const own = isSize ? originIn(registers, sized) : null;
      const isOfBlock = own !== null && own !== OPAQUE;
      const coming = lanesAt(warp, mask);
      const lanes = isSize && !isOfBlock ? coming & ~idleIn(registers, sized, coming) : coming;
      if (lanes === 0) return;
      const { known, unknown } = readLanes(warp, read, lanes, touches.addresses);
      if (unknown !== 0) touches.addUnknown(index, effect, false);
      const from = { origin: originIn(registers, base), offset: operand.offset };
      if (known === 0) return;
      touches.add(warp, index, known, effect, from, null, isOfBlock ? own : null);
    },
  };
}

/** The lanes in which a register is 0. */
function idleIn(registers: RegisterFile, register: number, lanes: number): number {
  let idle = 0;
  for (let rest = lanes; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if (registers.read(register, lane, value) && value.low === 0) idle |= 1 << lane;
  }
  return idle;
}

/** `cp.async.bulk` and `cp.reduce.async.bulk` from or to global memory. */
function bulkCopy(instruction: Instruction, copy: Copy, slots: Slots): Touching | null {
  const isWrite = copy.to === 'global';
  if (!isWrite && copy.from !== 'global') return null;
  const operand = addressWith(instruction, isWrite ? 'to' : 'from');
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const size = slots.source(operandOf(instruction, 'bytes'));
  const { index } = instruction;
  const kind = copy.operation === null ? 'plain' : 'atomic';
  const isRead = !isWrite || kind === 'atomic';
  const effect = { isRead, isWrite, kind, bytes: LARGEST, unit: BULK, isCopy: true } as const;
  return {
    index,
    operand,
    registers: [base, size],
    effect,
    note: (warp, touches, mask) => {
      const { known, unknown } = readLanes(warp, read, lanesAt(warp, mask), touches.addresses);
      if (unknown !== 0) touches.addUnknown(index, effect, false);
      const from = { origin: originIn(warp.registers, base), offset: operand.offset };
      for (let rest = known; rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        const isKnown = warp.registers.read(size, lane, value);
        if (!isKnown) touches.addUnknown(index, effect, false);
        else touches.add(warp, index, 1 << lane, { ...effect, bytes: value.low }, from, null);
      }
    },
  };
}

/** The most that one copy moves, and what its address is a multiple of. */
const LARGEST = 2 ** 20;
const BULK = 16;

/** `wmma.load` and `wmma.store`: all lanes give the same address. */
function matrix(instruction: Instruction, effect: WarpMatrix, slots: Slots): Touching | null {
  const { op, space } = effect;
  if (op === 'multiply' || (space !== 'global' && space !== 'generic')) return null;
  const operand = addressOf(instruction, op === 'store' ? 0 : 1);
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const lines = linesOf(effect);
  const bytes = (lines.length * lines.bits) / 8;
  const [, , stride] = instruction.operands;
  const distance = stride === undefined ? -1 : slots.source(stride);
  const { index } = instruction;
  const isWrite = op === 'store';
  // Which lane has which element is not said: it is apart from what lanes do themselves.
  const own = { isRead: !isWrite, isWrite, kind: 'plain', bytes, unit: 1, isCopy: true } as const;
  return {
    index,
    operand,
    registers: distance < 0 ? [base] : [base, distance],
    effect: own,
    note: (warp, touches, mask) => {
      const lane = 31 - Math.clz32(mask & -mask);
      const { registers } = warp;
      const isKnown = read(warp, lane, at);
      if (isKnown && APART.has(at.high)) return;
      const hasStride = distance < 0 || registers.read(distance, lane, value);
      const isOfBlock = distance >= 0 && registers.depends[distance] === 1;
      if (!isKnown || !hasStride || isOfBlock) return touches.addUnknown(index, own, false);
      const step = distance < 0 ? bytes : (value.low * lines.bits) / 8;
      const origin = originIn(registers, base);
      for (let line = 0; line < lines.count; line++) {
        const offset = operand.offset + line * step;
        touches.addresses[lane] = at.high * 2 ** 32 + at.low + line * step;
        touches.add(warp, index, 1 << lane, own, { origin, offset }, null);
      }
    },
  };
}

/** A copy through a tensor map, which says where its boxes lie. */
function tensorCopy(instruction: Instruction, copy: Copy, slots: Slots): Touching | null {
  const isWrite = copy.to === 'global';
  if (!isWrite && copy.from !== 'global') return null;
  const operand = addressWith(instruction, 'map');
  const base = slots.source(operand.base);
  const read = address(operand, slots);
  const elements = operand.more.flatMap((each) => (each.kind === 'vector' ? each.elements : each));
  const coordinates = elements.map((each) => slots.source(each));
  const { index } = instruction;
  const kind = copy.operation === null ? 'plain' : 'atomic';
  const effect = { isRead: !isWrite, isWrite, kind, bytes: 0, unit: 1, isCopy: true } as const;
  const isTiled = copy.mode === null || copy.mode === 'tile';
  return {
    index,
    operand,
    registers: [base, ...coordinates],
    effect,
    note: (warp, touches, mask) => {
      const { registers } = warp;
      for (let rest = lanesAt(warp, mask); rest !== 0; rest &= rest - 1) {
        const lane = 31 - Math.clz32(rest & -rest);
        const isKnown = read(warp, lane, at) && registers.depends[base] === 0;
        const map = isKnown ? mapKey(true, at.low, at.high) : null;
        let isPlaced = isTiled;
        const corner = coordinates.map((register) => {
          isPlaced &&= registers.read(register, lane, value);
          return value.low | 0;
        });
        const origins = coordinates.map((register) => originIn(registers, register));
        const isPossible = warp.mode.isUncertain || warp.shadow.isRunning || touches.isPassed;
        touches.addBox({
          at: index,
          lane,
          map,
          corner: isPlaced ? corner : null,
          origins,
          guard: warp.mode.picked,
          effect,
          isPossible,
        });
      }
    },
  };
}

/**
 * What an instruction touches of global memory; `null`: nothing.
 *
 * @param isUsed Whether some instruction reads a register.
 */
export function touchingOf(
  instruction: Instruction,
  slots: Slots,
  isUsed: (register: number) => boolean,
): Touching | null {
  const { effect, unmodeled } = instruction;
  if (unmodeled !== null) return null;
  if (effect.kind === 'access') return threadAccess(instruction, effect, slots, isUsed);
  if (effect.kind === 'warp matrix') return matrix(instruction, effect, slots);
  if (effect.kind !== 'copy') return null;
  switch (effect.op) {
    case 'thread':
      return threadCopy(instruction, slots);
    case 'bulk':
      return bulkCopy(instruction, effect, slots);
    case 'tensor':
      return tensorCopy(instruction, effect, slots);
    case 'store':
    case 'zeros':
      return null;
  }
}
