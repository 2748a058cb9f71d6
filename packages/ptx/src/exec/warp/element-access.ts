// One element of one lane of a load, a store or an atomic: what it reads and writes.
import { LOCAL_WINDOW } from '../../launch/windows.ts';
import type { Instruction } from '../../text/module.ts';
import { OPAQUE } from '../../values/origin.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { originOf, storedOf } from '../origins/expressions.ts';
import { deliver } from './access-form.ts';
import type { Form } from './access-form.ts';
import { atomicResult, COMMUTATIVE, effectOf } from './atomic.ts';
import { writeData } from './barrier-data.ts';
import { assumeLeftAlone } from './copied-memory.ts';
import { touchMap } from './maps.ts';
import type { Warp } from './warp.ts';

/** Where the element in execution lies. */
export const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };
const compareWith: Wide = { low: 0, high: 0 };
const result: Wide = { low: 0, high: 0 };

/** The lanes that read what nothing has written in the access in execution, and where. */
export const unwritten = { lanes: 0, address: 0, isLocal: false };

function readsUnwritten(lane: number, isLocal: boolean): void {
  unwritten.lanes |= 1 << lane;
  unwritten.address = at.low;
  unwritten.isLocal = isLocal;
}

/** What the atomic access in execution adds to a count; −1 where it adds to none. */
export const adds = { count: -1, amount: 0 };

/** Reports bytes at `at` that are not in shared memory. */
export function checkBounds(warp: Warp, bytes: number): void {
  const { machine, stack } = warp;
  const { look: lookAhead } = warp.ahead;
  if (lookAhead === null) machine.checkBounds(warp, stack.counter, at.low, bytes);
}

/** One element of one lane in shared memory: `at` is its address. */
export function sharedAccess(
  warp: Warp,
  form: Form,
  element: number,
  lane: number,
  isOneLane: boolean,
): void {
  const { memory } = warp.machine;
  const { bytes } = form;
  checkBounds(warp, bytes);
  if (form.isWrite) writeData(warp, at.low, at.low + bytes);
  if (form.isStore) storeShared(warp, form, element, lane);
  else if (form.atomic === '') loadShared(warp, form, element, lane);
  else if (bytes < 16) changeShared(warp, form, lane, isOneLane);
  else {
    memory.overwrite(at.low, at.low + 16);
    for (const register of form.results)
      deliver(warp, register, lane, unknownValue(warp), false, 0);
  }
}

function storeShared(warp: Warp, form: Form, element: number, lane: number): void {
  const { memory, strongLoads } = warp.machine;
  const { bytes } = form;
  const isKnown = warp.registers.read(form.values[element]!, lane, value) && !warp.mode.isUncertain;
  if (bytes === 16) memory.overwrite(at.low, at.low + 16);
  else memory.store(at.low, bytes, value, isKnown, storedOf(warp, form.values[element]!, lane));
  const isPlain = form.kind === 'plain';
  if (isPlain && !memory.isOrdered) return;
  const words = { address: at.low, bytes };
  if (isPlain) strongLoads.overwrites(words);
  else strongLoads.writes(warp, words, isKnown && bytes <= 4 ? value.low : null, true);
}

function loadShared(warp: Warp, form: Form, element: number, lane: number): void {
  const { memory, strongLoads } = warp.machine;
  const { bytes, signBits } = form;
  if (bytes === 16) {
    const isLowKnown = memory.load(at.low, 8, value) && !warp.turns.isBlind;
    if (form.results.length > 0) deliver(warp, form.results[element]!, lane, value, isLowKnown, 0);
    return;
  }
  const isKnown = memory.load(at.low, bytes, value) && !warp.turns.isBlind;
  if (warp.turns.isBlind) mix(value, warp.machine.fresh(), lane, 0);
  if (!isKnown && memory.isUnwritten(at.low, bytes)) readsUnwritten(lane, false);
  // Two volatile accesses are not ordered by anything: the value may be another.
  const isPlain = form.kind === 'plain';
  const isReliable =
    (isPlain && !memory.isOrdered) || strongLoads.finds(warp, { address: at.low, bytes }, isPlain);
  if (!isReliable) mix(value, warp.machine.fresh(), lane, 0);
  deliver(warp, form.results[element]!, lane, value, isKnown && isReliable, signBits);
}

/** An atomic access: its answer is unknown, as two of them are not ordered by anything. */
function changeShared(warp: Warp, form: Form, lane: number, isOneLane: boolean): void {
  const { registers } = warp;
  const { memory, strongLoads } = warp.machine;
  const { bytes, atomic } = form;
  const isOldKnown = memory.load(at.low, bytes, value) && !warp.turns.isBlind;
  if (warp.turns.isBlind) mix(value, warp.machine.fresh(), lane, 0);
  const initial = isOldKnown ? value.low | 0 : null;
  if (form.results.length > 0) deliver(warp, form.results[0]!, lane, unknownValue(warp), false, 0);
  strongLoads.writes(warp, { address: at.low, bytes }, effectOf(atomic), false);
  const isNewKnown = registers.read(form.values[0]!, lane, compareWith);
  const second = form.values[1];
  const isSecondKnown = second === undefined || registers.read(second, lane, result);
  const isKnown = isOldKnown && isNewKnown && isSecondKnown && !warp.mode.isUncertain;
  const isFound =
    isKnown && COMMUTATIVE.has(atomic) && atomicResult(atomic, bytes, value, compareWith, result);
  const isOfBlock =
    memory.originAt(at.low, bytes) !== null ||
    form.values.some((register) => registers.depends[register] === 1);
  const source = isOfBlock ? { origin: OPAQUE, lane } : null;
  const write = (): void =>
    memory.store(at.low, bytes, isFound ? result : unknownValue(warp), isFound, source);
  const isAddition = atomic === 'add' && bytes === 4 && isOneLane && !isOfBlock;
  if (isAddition && isNewKnown && !warp.mode.isUncertain) {
    adds.count = memory.counters.add(at.low, initial, write);
    adds.amount = compareWith.low | 0;
  } else memory.counters.other(at.low, write);
}

/** A value that no other one is equal to. */
export function unknownValue(warp: Warp): Wide {
  start(result, 0x6174);
  mix(result, warp.machine.fresh(), 0, 0);
  return result;
}

/** One element of one lane outside of shared memory. */
export function otherAccess(
  warp: Warp,
  instruction: Instruction,
  form: Form,
  element: number,
  lane: number,
  isKnown: boolean,
): void {
  const { bytes } = form;
  const isLocal = at.high === LOCAL_WINDOW;
  aroundOther(warp, instruction, form, lane, isKnown);
  if (form.atomic !== '') return answerAtomic(warp, form, lane);
  if (!form.isStore) {
    if (!isKnown) mix(at, instruction.index, element, 0);
    const isLoaded = loadOther(warp, form, lane, isKnown, isLocal);
    deliver(warp, form.results[element]!, lane, value, isLoaded, form.signBits);
  } else if (isLocal && isKnown) {
    const isValueKnown =
      warp.registers.read(form.values[element]!, lane, value) && !warp.mode.isUncertain;
    warp.local.store(at.low, lane, bytes, value, isValueKnown);
    const register = form.values[element]!;
    if (warp.registers.depends[register] === 1)
      warp.local.setOrigin(at.low, lane, { origin: originOf(warp.registers, register), lane });
  }
}

/** What an access outside of shared memory at `at` does to tensor maps and known contents. */
export function aroundOther(
  warp: Warp,
  { index }: Instruction,
  { bytes, isWrite, space }: Form,
  lane: number,
  isKnown: boolean,
): void {
  const { machine } = warp;
  if (isKnown && machine.tensorMaps.isWatching) touchMap(warp, lane, at, bytes, isWrite);
  if (!isWrite) return;
  if (isKnown && at.high !== LOCAL_WINDOW) machine.global.overwrite(at.low, at.high, bytes);
  if (!isKnown && space !== 'local') assumeLeftAlone(warp, index);
}

/** Delivers the answer of an atomic on global memory, if the launch gives it. */
function answerAtomic(warp: Warp, form: Form, lane: number): void {
  const answer = warp.machine.atomicAnswer();
  if (form.results.length === 0) return;
  start(value, at.low);
  mix(value, warp.machine.fresh(), 0, 0);
  if (answer !== undefined) {
    value.low = answer >>> 0;
    value.high = 0;
  }
  deliver(warp, form.results[0]!, lane, value, answer !== undefined, 0);
}

/** Loads into `value` what lies at `at`; whether it is known. */
function loadOther(
  warp: Warp,
  { bytes, kind }: Form,
  lane: number,
  isKnown: boolean,
  isLocal: boolean,
): boolean {
  if (isLocal && isKnown) {
    if (warp.local.load(at.low, lane, bytes, value)) return true;
    if (warp.local.isUnwritten(at.low, lane, bytes)) readsUnwritten(lane, true);
    return false;
  }
  if (isKnown && bytes <= 8 && kind === 'plain')
    return warp.machine.global.load(at.low, at.high, bytes, value);
  start(value, bytes);
  mix(value, at.low, at.high, isKnown ? 1 : 0);
  // What others may write between two reads is not the same twice.
  if (kind !== 'plain') mix(value, warp.machine.fresh(), 0, 0);
  return false;
}
