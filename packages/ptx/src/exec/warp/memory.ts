// Loads, stores and atomics in all state spaces, by threads.
import {
  LOCAL_WINDOW,
  MODULE_WINDOW,
  PARAMETER_WINDOW,
  SHARED_WINDOW,
} from '../../launch/windows.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';
import type { UnknownBytes } from '../../steps/step.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { deliver, formOf } from './access-form.ts';
import type { Form, Space } from './access-form.ts';
import { accessGlobal, isPoll } from './global-access.ts';
import { globalLanes } from './global-lanes.ts';
import { checkAlignment } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { addressOf, transparent } from './builder.ts';
import type { Family } from './builder.ts';
import { atomicResult, COMMUTATIVE } from './atomic.ts';
import { address, firstLane } from './lane.ts';
import { recordMaps, touchMap } from './maps.ts';
import { matrix } from './matrix.ts';
import { atomicOrder } from './order.ts';
import { Status } from './program.ts';
import type { Action } from './program.ts';
import type { Slots } from './slots.ts';
import { touchUnknown, valuesAtDrawn } from './unknown-address.ts';
import type { Warp } from './warp.ts';

/** The high half of the generic addresses of a space whose own addresses have none. */
const WINDOW_OF: Readonly<Record<Space, number>> = {
  shared: SHARED_WINDOW,
  local: LOCAL_WINDOW,
  param: PARAMETER_WINDOW,
  global: 0,
  const: MODULE_WINDOW,
  generic: 0,
};

/** What is assumed of a store outside of shared memory whose address is not known. */
const LEFT_ALONE = 'a store at an address that is data leaves alone what the launch says of memory';

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };
const compareWith: Wide = { low: 0, high: 0 };
const result: Wide = { low: 0, high: 0 };

/** Makes a loaded register uniform again if all its lanes are equal. */
function compress(warp: Warp, register: number, mask: number): void {
  const { registers } = warp;
  if (mask !== warp.lanes || registers.perLane[register] === 0) return;
  const known = registers.known[register]! & mask;
  if (known !== 0 && known !== mask) return;
  const base = register * LANES;
  const first = firstLane(mask);
  const low = registers.low[base + first]!;
  const high = registers.high[base + first]!;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    if (registers.low[base + lane] !== low || registers.high[base + lane] !== high) return;
  }
  result.low = low;
  result.high = high;
  registers.setUniform(register, result, known !== 0, mask, warp.lanes);
}

function memory(instruction: Instruction, slots: Slots): Action {
  const { parts } = instruction;
  const form = formOf(instruction, slots);
  const operand = addressOf(instruction, form.isStore || parts[0] === 'red' ? 0 : 1);
  const read = address(operand, slots);
  const { space, bytes, width } = form;
  const unit = bytes * width;
  const order = atomicOrder(parts);
  const run = (warp: Warp, mask: number): Status => {
    const reads: number[] = [];
    const writes: number[] = [];
    const values: number[] = [];
    let isPossible = false;
    let unknown: UnknownBytes = 'each';
    let touching = 0;
    adds.count = -1;
    const global = slots.isGrid ? globalLanes(warp, mask, space, read) : 0;
    if (global !== 0) {
      const status = accessGlobal(warp, instruction, form, read, global);
      if (status !== Status.done) return status;
    }
    for (let rest = mask & ~global; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      const isKnown = read(warp, lane, at);
      if (!isKnown && space === 'local') warp.local.forget(warp.machine.fresh());
      if (!isKnown && mayBeShared(warp, instruction, space, operand)) {
        if (warp.lookAhead !== null && (form.isStore || form.atomic !== '')) return Status.observed;
        const isWrite = form.isStore || form.atomic !== '';
        const touched: number[] = isWrite ? writes : reads;
        const before = touched.length;
        if (!touchUnknown(warp, instruction, operand, lane, unit, touched)) unknown = 'some';
        if (isWrite) overwrite(warp, touched, before);
        for (const register of form.results)
          deliver(warp, register, lane, unknownValue(warp), false, 0);
        isPossible = true;
        touching |= 1 << lane;
        continue;
      }
      if (space !== 'generic' && space !== 'global' && (at.high === 0 || space === 'shared'))
        at.high = WINDOW_OF[space];
      const { low, high } = at;
      if (isKnown) checkAlignment(warp, low, high, unit);
      for (let element = 0; element < width; element++) {
        at.low = low + element * bytes;
        at.high = high;
        if (isKnown && high === SHARED_WINDOW) {
          if (warp.lookAhead !== null && (form.isStore || form.atomic !== ''))
            return Status.observed;
          touching |= 1 << lane;
          (form.isStore || form.atomic !== '' ? writes : reads).push(at.low, at.low + bytes);
          sharedAccess(warp, form, element, lane, values, (mask & (mask - 1)) === 0);
        } else {
          if (!isKnown && slots.isGrid) assumeApart(warp, instruction, space);
          otherAccess(warp, instruction, form, element, lane, isKnown);
        }
      }
    }
    for (const register of form.results) compress(warp, register, mask);
    recordMaps(warp, instruction.index);
    if (reads.length + writes.length > 0) {
      if (form.atomic !== '') values.length = 0;
      else if (isPossible && form.isStore && values.length === 0)
        valuesAtDrawn(warp, instruction, operand, writes, values);
      const { index } = instruction;
      const step = { op: 'access', at: index, kind: form.kind, reads, writes, values } as const;
      warp.record(
        {
          ...step,
          ...(isPossible ? { isPossible, unknown } : {}),
          ...(adds.count < 0 ? {} : { adds: { ...adds, ...order } }),
        },
        touching,
      );
      if (adds.count < 0) return Status.done;
      const register = form.results[0] ?? -1;
      const { length } = warp.steps;
      warp.addition = { at: index, mask, count: adds.count, register, steps: length };
    }
    return Status.done;
  };
  const isPrivate =
    space === 'local' ||
    space === 'param' ||
    space === 'const' ||
    (space === 'global' && form.atomic === '' && !slots.isGrid);
  if (isPrivate) return { kind: 'silent', run: (warp, mask) => void run(warp, mask) };
  const isLocal = (warp: Warp, mask: number): boolean => {
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (!read(warp, firstLane(rest), at) || at.high !== LOCAL_WINDOW) return false;
    return true;
  };
  const access = transparent(run);
  const action =
    access.kind === 'visible' && space === 'generic' && form.atomic === ''
      ? { ...access, isPrivate: isLocal }
      : access;
  if (!slots.isGrid || action.kind !== 'visible') return action;
  const mayPoll = (warp: Warp, mask: number): boolean => {
    if (globalLanes(warp, mask, space, read) !== mask) return false;
    return isPoll(warp, instruction, form, read, mask);
  };
  return { ...action, mayPoll };
}

/** Whether an unknown address may be in shared memory: a generic one by what it is derived from. */
export function mayBeShared(
  warp: Warp,
  { index }: Instruction,
  space: Space,
  operand: Operand,
): boolean {
  if (space !== 'generic') return space === 'shared';
  if (warp.machine.isDerivedFromShared(index, operand)) return true;
  warp.machine.assume(index, 'an address that is data is not in shared memory');
  return false;
}

/** Where all blocks are executed, what one touches at an unknown address is not compared. */
function assumeApart(warp: Warp, { index }: Instruction, space: Space): void {
  if (space !== 'global' && space !== 'generic') return;
  warp.machine.unknownAddresses.add(index);
  warp.machine.assume(index, 'at an address that is data, blocks touch nothing that others write');
}

/** Makes unknown what lies in ranges, from one of them on. */
function overwrite({ machine }: Warp, ranges: readonly number[], from: number): void {
  for (let index = from; index < ranges.length; index += 2)
    machine.memory.overwrite(ranges[index]!, ranges[index + 1]!);
}

/** What the atomic access in execution adds to a count; −1 where it adds to none. */
const adds = { count: -1, amount: 0 };

/** One element of one lane in shared memory: `at` is its address. */
function sharedAccess(
  warp: Warp,
  form: Form,
  element: number,
  lane: number,
  values: number[],
  isOneLane: boolean,
): void {
  const { memory } = warp.machine;
  const { registers } = warp;
  const { bytes } = form;
  if (!memory.has(at.low, bytes) && warp.lookAhead === null)
    warp.machine.checkBounds(warp, warp.stack.counter, at.low, bytes);
  if (form.isStore || form.atomic !== '') writeData(warp, at.low, at.low + bytes);
  if (form.isStore) {
    const isKnown = registers.read(form.values[element]!, lane, value) && !warp.isUncertain;
    // A register of 128 bits has the identity of its lower half only: it is equal to no other.
    if (bytes === 16) values.push(warp.machine.fresh(), warp.number);
    else values.push(value.low, isKnown && bytes <= 4 ? 0 : value.high);
    if (bytes === 16) memory.overwrite(at.low, at.low + 16);
    else memory.store(at.low, bytes, value, isKnown);
    memory.setOrderedWriter(at.low, bytes, form.kind === 'plain' ? 0 : warp.number);
    return;
  }
  if (bytes === 16 && form.atomic !== '') {
    memory.overwrite(at.low, at.low + 16);
    for (const register of form.results)
      deliver(warp, register, lane, unknownValue(warp), false, 0);
    return;
  }
  if (bytes === 16) {
    const isLowKnown = memory.load(at.low, 8, value) && !warp.isBlind;
    if (form.results.length > 0) deliver(warp, form.results[element]!, lane, value, isLowKnown, 0);
    return;
  }
  const isOldKnown = memory.load(at.low, bytes, value) && !warp.isBlind;
  if (warp.isBlind) mix(value, warp.machine.fresh(), lane, 0);
  // Two volatile accesses, or two atomics, are not ordered by anything: the value may be another.
  const writer = memory.orderedWriter(at.low);
  const isOwn = writer === 0 || writer === warp.number;
  if (form.atomic === '') {
    const isReliable = form.kind === 'plain' || isOwn;
    if (!isReliable) mix(value, warp.machine.fresh(), lane, 0);
    deliver(warp, form.results[element]!, lane, value, isOldKnown && isReliable, form.signBits);
    return;
  }
  const initial = isOldKnown ? value.low | 0 : null;
  if (form.results.length > 0) deliver(warp, form.results[0]!, lane, unknownValue(warp), false, 0);
  memory.setOrderedWriter(at.low, bytes, warp.number);
  const isNewKnown = registers.read(form.values[0]!, lane, compareWith);
  const second = form.values[1];
  const isSecondKnown = second === undefined || registers.read(second, lane, result);
  const isKnown = isOldKnown && isNewKnown && isSecondKnown && !warp.isUncertain;
  const isAddition = form.atomic === 'add' && bytes === 4 && isOneLane;
  const isFound =
    isKnown &&
    COMMUTATIVE.has(form.atomic) &&
    atomicResult(form.atomic, bytes, value, compareWith, result);
  const write = (): void =>
    memory.store(at.low, bytes, isFound ? result : unknownValue(warp), isFound);
  if (isAddition && isNewKnown && !warp.isUncertain) {
    adds.count = memory.counters.add(at.low, initial, write);
    adds.amount = compareWith.low | 0;
  } else memory.counters.other(at.low, write);
}

function unknownValue(warp: Warp): Wide {
  start(result, 0x6174);
  mix(result, warp.machine.fresh(), 0, 0);
  return result;
}

/** One element of one lane outside of shared memory. */
function otherAccess(
  warp: Warp,
  instruction: Instruction,
  form: Form,
  element: number,
  lane: number,
  isKnown: boolean,
): void {
  const { bytes } = form;
  const isLocal = at.high === LOCAL_WINDOW;
  const isWrite = form.isStore || form.atomic !== '';
  if (isKnown && warp.machine.tensorMaps.isWatching) touchMap(warp, lane, at, bytes, isWrite);
  if (isWrite && isKnown && !isLocal) warp.machine.global.overwrite(at.low, at.high, bytes);
  if (isWrite && !isKnown && form.space !== 'local' && warp.machine.global.hasContents)
    warp.machine.assume(instruction.index, LEFT_ALONE);
  if (form.isStore) {
    if (!isLocal || !isKnown) return;
    const isValueKnown =
      warp.registers.read(form.values[element]!, lane, value) && !warp.isUncertain;
    warp.local.store(at.low, lane, bytes, value, isValueKnown);
    return;
  }
  if (form.atomic !== '') {
    const answer = warp.machine.atomicAnswer();
    if (form.results.length === 0) return;
    start(value, at.low);
    mix(value, warp.machine.fresh(), 0, 0);
    if (answer !== undefined) {
      value.low = answer >>> 0;
      value.high = 0;
    }
    deliver(warp, form.results[0]!, lane, value, answer !== undefined, 0);
    return;
  }
  let isLoaded = false;
  if (!isKnown) mix(at, instruction.index, element, 0);
  if (isLocal && isKnown) isLoaded = warp.local.load(at.low, lane, bytes, value);
  else if (isKnown && bytes <= 8 && form.kind === 'plain')
    isLoaded = warp.machine.global.load(at.low, at.high, bytes, value);
  else {
    start(value, bytes);
    mix(value, at.low, at.high, isKnown ? 1 : 0);
    // What others may write between two reads is not the same twice.
    if (form.kind !== 'plain') mix(value, warp.machine.fresh(), 0, 0);
  }
  deliver(warp, form.results[element]!, lane, value, isLoaded, form.signBits);
}

/** Memory instructions by mnemonic. */
export const MEMORY: Family = {
  ld: memory,
  ldu: memory,
  st: memory,
  atom: memory,
  red: memory,
  ldmatrix: matrix,
  stmatrix: matrix,
};
