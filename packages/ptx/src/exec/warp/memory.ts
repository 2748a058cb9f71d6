// Loads, stores and atomics in all state spaces, by threads.
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import type { Access } from '../../isa/effect.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import type { Ordered, UnknownBytes } from '../../steps/step.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { AccessOrigins, WINDOW_OF } from '../origins/accesses.ts';
import type { StoredValue } from '../../steps/stored-value.ts';
import { storedValue } from '../origins/equal-values.ts';
import { originOf, storedOf } from '../origins/expressions.ts';
import { nameSource } from '../origins/sources.ts';
import { Cause, OPAQUE } from '../../values/origin.ts';
import { deliver, formOf } from './access-form.ts';
import type { Form, Space } from './access-form.ts';
import { accessGlobal, isPoll } from './global-access.ts';
import { globalLanes, placeOf } from './global-lanes.ts';
import { checkAlignment } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { checkBuffer, VERBS } from './buffer-bounds.ts';
import { compress } from './compress.ts';
import { addressOf } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { atomicResult, COMMUTATIVE, effectOf } from './atomic.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import { recordMaps, touchMap } from './maps.ts';
import { atomicOrder } from './order.ts';
import { Status } from './program.ts';
import { RepeatedLoads } from './repeated-loads.ts';
import type { Slots } from './slots.ts';
import { touchUnknown, valuesAtDrawn } from './unknown-address.ts';
import type { Warp } from './warp.ts';

/** What is assumed of a store outside of shared memory whose address is not known. */
const NOT_SHARED = 'an address that is data is not in shared memory';
const APART = 'at an address that is data, blocks touch nothing that others write';
const LEFT_ALONE = 'a store at an address that is data leaves alone what the launch says of memory';

const at: Wide = { low: 0, high: 0 };
const value: Wide = { low: 0, high: 0 };
const compareWith: Wide = { low: 0, high: 0 };
const result: Wide = { low: 0, high: 0 };

/** What one execution of an access touches in shared memory. */
interface Touched {
  readonly reads: number[];
  readonly writes: number[];
  readonly values: number[];
  /** What is computed from the place of the block: twice for each range that is written. */
  readonly stored: (StoredValue | null)[];
  lanes: number;
  /** Whether an address is unknown, and of what the access then touches some bytes. */
  isPossible: boolean;
  unknown: UnknownBytes;
}

/** A load, a store or an atomic access. */
class MemoryAccess {
  readonly form: Form;
  readonly #instruction: Instruction;
  readonly #operand: Extract<Operand, { kind: 'address' }>;
  readonly #read: ReadAddress;
  readonly #origins: AccessOrigins;
  readonly #isGrid: boolean;
  readonly #isCompared: boolean;
  readonly #op: Access['op'];
  readonly #order: Ordered;
  /** What loads of shared memory did before; `null` for other accesses. */
  readonly #repeated: RepeatedLoads | null;

  constructor(instruction: Instruction, effect: Access, slots: Slots) {
    const form = formOf(instruction, effect, slots);
    this.form = form;
    this.#instruction = instruction;
    this.#order = atomicOrder(effect);
    this.#op = effect.op;
    this.#operand = addressOf(instruction, form.isStore || effect.op === 'reduction' ? 0 : 1);
    this.#read = address(this.#operand, slots);
    const register = slots.source(this.#operand.base);
    const { offset } = this.#operand;
    const { index } = instruction;
    this.#origins = new AccessOrigins({ index, form, register, offset, read: this.#read });
    this.#isGrid = slots.isGrid;
    this.#isCompared = slots.isCompared;
    this.#repeated = RepeatedLoads.areOf(form) ? new RepeatedLoads(form, register) : null;
  }

  /** Whether no other warp observes the access, by its state space. */
  get isPrivate(): boolean {
    const { space, atomic } = this.form;
    if (space === 'global') return atomic === '' && !this.#isGrid && !this.#isCompared;
    return space === 'local' || space === 'param' || space === 'const';
  }

  /** Whether lanes may repeat the access until memory that other blocks write holds a value. */
  mayPoll(warp: Warp, mask: number): boolean {
    const { form } = this;
    if (globalLanes(warp, mask, form.space, this.#read) !== mask) return false;
    return isPoll(warp, this.#instruction, form, this.#read, mask);
  }

  /** Whether all lanes access local memory. */
  isLocal(warp: Warp, mask: number): boolean {
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (!this.#read(warp, firstLane(rest), at) || at.high !== LOCAL_WINDOW) return false;
    return true;
  }

  run(warp: Warp, mask: number): Status {
    unwritten.lanes = 0;
    const origins = this.#origins;
    const isFollowed = origins.isFollowed(warp);
    const isOne = !isFollowed && !warp.isBlind && !warp.isUncertain;
    const repeated = isOne ? this.#repeated : null;
    if (repeated?.replay(warp, mask) === true) return Status.done;
    const run = (): Status => this.#run(warp, mask);
    const status = isFollowed ? origins.around(warp, mask, run) : run();
    if (status !== Status.done) return status;
    if (unwritten.lanes === 0) repeated?.note(warp, mask);
    else this.#nameUnwritten(warp, mask);
    return status;
  }

  /** What lanes have read that nothing has written, where nothing else is said of it. */
  #nameUnwritten(warp: Warp, mask: number): void {
    const { registers, machine } = warp;
    const text = unwritten.isLocal ? 'local memory' : machine.nameOf(unwritten.address);
    for (const register of this.form.results)
      if (registers.depends[register] === 0)
        nameSource(registers, register, unwritten.lanes & mask, { cause: Cause.none, text });
  }

  #run(warp: Warp, mask: number): Status {
    const { form } = this;
    const instruction = this.#instruction;
    adds.count = -1;
    const global = this.#isGrid ? globalLanes(warp, mask, form.space, this.#read) : 0;
    if (global !== 0) {
      const status = accessGlobal(warp, instruction, form, this.#read, global);
      if (status !== Status.done) return status;
    }
    const touched: Touched = {
      reads: [],
      writes: [],
      values: [],
      stored: [],
      lanes: 0,
      isPossible: false,
      unknown: 'each',
    };
    const isOneLane = (mask & (mask - 1)) === 0;
    for (let rest = mask & ~global; rest !== 0; rest &= rest - 1)
      if (!this.#access(warp, firstLane(rest), touched, isOneLane)) return Status.observed;
    for (const register of form.results) compress(warp, register, mask);
    recordMaps(warp, instruction.index);
    if (touched.reads.length + touched.writes.length > 0) this.#record(warp, mask, touched);
    return Status.done;
  }

  /** Accesses memory in one lane; `false` where a look ahead would be observed. */
  #access(warp: Warp, lane: number, touched: Touched, isOneLane: boolean): boolean {
    const { form } = this;
    const { space, bytes, width, isWrite } = form;
    const isKnown = this.#read(warp, lane, at);
    if (!isKnown) forgetLocal(warp, space);
    if (!isKnown && mayBeShared(warp, this.#instruction, space, this.#operand)) {
      if (warp.lookAhead !== null && isWrite) return false;
      this.#accessUnknown(warp, lane, touched);
      return true;
    }
    // A generic address of global memory has no window either.
    if (at.high === 0 || space === 'shared') at.high = WINDOW_OF[space];
    const { low, high } = at;
    warp.accessing = 1 << lane;
    if (isKnown) this.#checkAddress(warp, low, high);
    const isShared = isKnown && high === SHARED_WINDOW;
    const isMet = isKnown && this.#isMet(warp, low, high);
    if (isMet && isWrite && warp.lookAhead !== null) return false;
    if (isMet) touched.lanes |= 1 << lane;
    if (!isKnown && this.#isGrid) assumeApart(warp, this.#instruction, space);
    for (let element = 0; element < width; element++) {
      at.low = low + element * bytes;
      at.high = high;
      if (isMet) meet(warp, form, element, lane, touched);
      if (isShared) sharedAccess(warp, form, element, lane, isOneLane);
      else otherAccess(warp, this.#instruction, form, element, lane, isKnown);
    }
    return true;
  }

  /** Whether memory that a lane accesses is compared: all shared memory is. */
  #isMet({ machine: { compared } }: Warp, low: number, high: number): boolean {
    if (high === SHARED_WINDOW) return true;
    if (compared === null || high === LOCAL_WINDOW || high === PARAMETER_WINDOW) return false;
    const from = high * 2 ** 32 + low;
    return compared.bytes.meets(from, from + this.form.bytes * this.form.width);
  }

  /** Reports an address that is no multiple of what is accessed, or beyond its buffer. */
  #checkAddress(warp: Warp, low: number, high: number): void {
    const bytes = this.form.bytes * this.form.width;
    checkAlignment(warp, low, high, bytes);
    checkBuffer(warp, low, high, bytes, VERBS[this.#op]);
  }

  /** Accesses shared memory at an unknown address. */
  #accessUnknown(warp: Warp, lane: number, touched: Touched): void {
    const { bytes, width, results, isWrite } = this.form;
    const ranges = isWrite ? touched.writes : touched.reads;
    const before = ranges.length;
    const [instruction, operand, size] = [this.#instruction, this.#operand, bytes * width];
    if (!touchUnknown(warp, instruction, operand, lane, size, ranges)) touched.unknown = 'some';
    if (isWrite) overwrite(warp, ranges, before);
    for (const register of results) deliver(warp, register, lane, unknownValue(warp), false, 0);
    touched.isPossible = true;
    touched.lanes |= 1 << lane;
  }

  #record(warp: Warp, mask: number, touched: Touched): void {
    const { form } = this;
    const { values, stored, isPossible, unknown } = touched;
    const { ranges } = warp.machine.memory;
    const [reads, writes] = [ranges.shared(touched.reads), ranges.shared(touched.writes)];
    const { index } = this.#instruction;
    if (form.atomic !== '') values.length = 0;
    else if (isPossible && form.isStore && values.length === 0)
      valuesAtDrawn(warp, this.#instruction, this.#operand, writes, values);
    const step = { op: 'access', at: index, kind: form.kind, reads, writes, values } as const;
    const isOfBlock = values.length > 0 && stored.some((each) => each !== null);
    warp.record(
      {
        ...step,
        ...(isOfBlock ? { stored } : {}),
        ...(isPossible ? { isPossible, unknown } : {}),
        ...(adds.count < 0 ? {} : { adds: { ...adds, ...this.#order } }),
      },
      touched.lanes,
    );
    if (adds.count < 0) return;
    const register = form.results[0] ?? -1;
    const { length } = warp.steps;
    warp.addition = { at: index, mask, count: adds.count, register, steps: length };
  }
}

/** `ld`, `st`, `atom`, `red`. */
export const memory: BuilderOf<Access> = (instruction, effect, slots) => {
  const access = new MemoryAccess(instruction, effect, slots);
  if (access.isPrivate) return { kind: 'silent', run: (warp, mask) => void access.run(warp, mask) };
  const { space, atomic } = access.form;
  return {
    kind: 'visible',
    mayLookAhead: true,
    isAccess: true,
    run: (warp, mask) => access.run(warp, mask),
    ...(space === 'generic' && atomic === ''
      ? { isPrivate: (warp: Warp, mask: number) => access.isLocal(warp, mask) }
      : {}),
    ...(slots.isGrid ? { mayPoll: (warp: Warp, mask: number) => access.mayPoll(warp, mask) } : {}),
  };
};

/** Whether an unknown address may be in shared memory: a generic one by what it is derived from. */
export function mayBeShared(
  warp: Warp,
  { index }: Instruction,
  space: Space,
  operand: Operand,
): boolean {
  if (space !== 'generic') return space === 'shared';
  if (warp.machine.isDerivedFromShared(index, operand)) return true;
  warp.machine.assume(index, 'address-data', NOT_SHARED);
  return false;
}

/** What local memory holds is not known after an access at an unknown address. */
function forgetLocal({ local, machine }: Warp, space: Space): void {
  if (space === 'local') local.forget(machine.fresh());
}

/** Where all blocks are executed, what one touches at an unknown address is not compared. */
function assumeApart(warp: Warp, { index }: Instruction, space: Space): void {
  if (space !== 'global' && space !== 'generic') return;
  warp.machine.unknownAddresses.add(index);
  warp.machine.assume(index, 'disjoint-data', APART);
}

/** Makes unknown what lies in ranges, from one of them on. */
function overwrite({ machine }: Warp, ranges: readonly number[], from: number): void {
  for (let index = from; index < ranges.length; index += 2)
    machine.memory.overwrite(ranges[index]!, ranges[index + 1]!);
}

/** The lanes that read what nothing has written in the access in execution, and where. */
const unwritten = { lanes: 0, address: 0, isLocal: false };

function readsUnwritten(lane: number, isLocal: boolean): void {
  unwritten.lanes |= 1 << lane;
  unwritten.address = at.low;
  unwritten.isLocal = isLocal;
}

/** What the atomic access in execution adds to a count; −1 where it adds to none. */
const adds = { count: -1, amount: 0 };

/** One element of one lane in shared memory: `at` is its address. */
function sharedAccess(
  warp: Warp,
  form: Form,
  element: number,
  lane: number,
  isOneLane: boolean,
): void {
  const { memory } = warp.machine;
  const { bytes } = form;
  if (!memory.has(at.low, bytes) && warp.lookAhead === null)
    warp.machine.checkBounds(warp, warp.stack.counter, at.low, bytes);
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

/** Adds the bytes of an element of a lane, which others may access: `at` is its address. */
function meet(warp: Warp, form: Form, element: number, lane: number, touched: Touched): void {
  const isShared = at.high === SHARED_WINDOW;
  const place = isShared ? at.low : placeOf(warp, at.high * 2 ** 32 + at.low);
  const { reads, writes } = touched;
  // What a lane loads is one range; of what it stores each element has a value.
  if (form.isWrite) writes.push(place, place + form.bytes);
  else if (element > 0 && reads.at(-1) === place) reads[reads.length - 1] = place + form.bytes;
  else reads.push(place, place + form.bytes);
  if (form.isStore) identify(warp, form, element, lane, touched);
}

/** Adds two numbers that identify what an element of a lane stores, and how it is computed. */
function identify(
  warp: Warp,
  form: Form,
  element: number,
  lane: number,
  { values, stored }: Touched,
): void {
  const { bytes } = form;
  const register = form.values[element]!;
  const isKnown = warp.registers.read(register, lane, value) && !warp.isUncertain;
  const own = storedValue(warp, register, lane, value, isKnown);
  stored.push(own, own);
  // A register of 128 bits has the identity of its lower half only: it is equal to no other.
  if (bytes === 16) values.push(warp.machine.fresh(), warp.number);
  else values.push(value.low, isKnown && bytes <= 4 ? 0 : value.high);
}

function storeShared(warp: Warp, form: Form, element: number, lane: number): void {
  const { memory, strongLoads } = warp.machine;
  const { bytes } = form;
  const isKnown = warp.registers.read(form.values[element]!, lane, value) && !warp.isUncertain;
  if (bytes === 16) memory.overwrite(at.low, at.low + 16);
  else memory.store(at.low, bytes, value, isKnown, storedOf(warp, form.values[element]!, lane));
  const isPlain = form.kind === 'plain';
  if (isPlain && !memory.isOrdered) return;
  const words = { address: at.low, bytes };
  if (isPlain) strongLoads.overwrites(words);
  else strongLoads.writes(warp, words, isKnown && bytes <= 4 ? value.low : null);
}

function loadShared(warp: Warp, form: Form, element: number, lane: number): void {
  const { memory, strongLoads } = warp.machine;
  const { bytes, signBits } = form;
  if (bytes === 16) {
    const isLowKnown = memory.load(at.low, 8, value) && !warp.isBlind;
    if (form.results.length > 0) deliver(warp, form.results[element]!, lane, value, isLowKnown, 0);
    return;
  }
  const isKnown = memory.load(at.low, bytes, value) && !warp.isBlind;
  if (warp.isBlind) mix(value, warp.machine.fresh(), lane, 0);
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
  const isOldKnown = memory.load(at.low, bytes, value) && !warp.isBlind;
  if (warp.isBlind) mix(value, warp.machine.fresh(), lane, 0);
  const initial = isOldKnown ? value.low | 0 : null;
  if (form.results.length > 0) deliver(warp, form.results[0]!, lane, unknownValue(warp), false, 0);
  strongLoads.writes(warp, { address: at.low, bytes }, effectOf(atomic));
  const isNewKnown = registers.read(form.values[0]!, lane, compareWith);
  const second = form.values[1];
  const isSecondKnown = second === undefined || registers.read(second, lane, result);
  const isKnown = isOldKnown && isNewKnown && isSecondKnown && !warp.isUncertain;
  const isFound =
    isKnown && COMMUTATIVE.has(atomic) && atomicResult(atomic, bytes, value, compareWith, result);
  const isOfBlock =
    memory.originAt(at.low, bytes) !== null ||
    form.values.some((register) => registers.depends[register] === 1);
  const source = isOfBlock ? { origin: OPAQUE, lane } : null;
  const write = (): void =>
    memory.store(at.low, bytes, isFound ? result : unknownValue(warp), isFound, source);
  const isAddition = atomic === 'add' && bytes === 4 && isOneLane && !isOfBlock;
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
  const { bytes, isWrite } = form;
  const { machine } = warp;
  const isLocal = at.high === LOCAL_WINDOW;
  if (isKnown && machine.tensorMaps.isWatching) touchMap(warp, lane, at, bytes, isWrite);
  if (isWrite && isKnown && !isLocal) machine.global.overwrite(at.low, at.high, bytes);
  if (isWrite && !isKnown && form.space !== 'local' && machine.global.hasContents)
    machine.assume(instruction.index, 'address-data', LEFT_ALONE);
  if (form.atomic !== '') return answerAtomic(warp, form, lane);
  if (!form.isStore) {
    if (!isKnown) mix(at, instruction.index, element, 0);
    const isLoaded = loadOther(warp, form, lane, isKnown, isLocal);
    deliver(warp, form.results[element]!, lane, value, isLoaded, form.signBits);
  } else if (isLocal && isKnown) {
    const isValueKnown =
      warp.registers.read(form.values[element]!, lane, value) && !warp.isUncertain;
    warp.local.store(at.low, lane, bytes, value, isValueKnown);
    const register = form.values[element]!;
    if (warp.registers.depends[register] === 1)
      warp.local.setOrigin(at.low, lane, { origin: originOf(warp.registers, register), lane });
  }
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
