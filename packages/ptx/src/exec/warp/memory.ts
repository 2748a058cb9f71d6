// Loads, stores and atomics in all state spaces, by threads.
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import type { Access } from '../../isa/effect.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { LEFT_OUT } from '../../steps/step.ts';
import type { Ordered, UnknownBytes } from '../../steps/step.ts';
import type { Wide } from '../../values/wide.ts';
import { AccessOrigins, WINDOW_OF } from '../origins/accesses.ts';
import type { StoredValue } from '../../steps/stored-value.ts';
import { storedValue } from '../origins/equal-values.ts';
import { nameSource } from '../origins/sources.ts';
import { Cause } from '../../values/origin.ts';
import { deliver, formOf } from './access-form.ts';
import type { Form, Space } from './access-form.ts';
import { accessGlobal, isPoll } from './global-access.ts';
import { globalLanes, placeOf } from './global-lanes.ts';
import { checkAlignment } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import { checkBuffer, VERBS } from './buffer-bounds.ts';
import { compress } from './compress.ts';
import { forgetContested } from './contested-stores.ts';
import { addressOf } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import {
  adds,
  aroundOther,
  at,
  checkBounds,
  otherAccess,
  sharedAccess,
  unknownValue,
  unwritten,
} from './element-access.ts';
import { address } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { ReadAddress } from './lane.ts';
import { recordMaps } from './maps.ts';
import { atomicOrder } from './order.ts';
import { Status } from './program.ts';
import { checkOwn, checkSpace } from './state-space.ts';
import { RepeatedAccesses } from './repeated-accesses.ts';
import type { Slots } from './slots.ts';
import { touchUnknown, valuesAtDrawn } from './unknown-address.ts';
import type { Warp } from './warp.ts';

/** What is assumed of a store outside of shared memory whose address is not known. */
const NOT_SHARED = 'an address that is data is not in shared memory';
const APART = 'at an address that is data, blocks touch nothing that others write';

/** Nothing is known of what is stored. */
const NOTHING_KNOWN: readonly number[] = [];

const value: Wide = { low: 0, high: 0 };

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
  /** Whether what it loads, or stores, decides nothing. */
  readonly #isOfData: boolean;
  readonly #op: Access['op'];
  /** Whether it is of the own CTA. */
  readonly #isOwn: boolean;
  readonly #order: Ordered;
  /** What accesses to shared memory did before; `null` for those that may differ. */
  readonly #repeated: RepeatedAccesses | null;

  constructor(instruction: Instruction, effect: Access, slots: Slots) {
    const form = formOf(instruction, effect, slots);
    this.form = form;
    this.#instruction = instruction;
    this.#order = atomicOrder(effect);
    this.#op = effect.op;
    this.#isOwn = form.space === 'shared' && !effect.isOfCluster;
    this.#operand = addressOf(instruction, form.isStore || effect.op === 'reduction' ? 0 : 1);
    this.#read = address(this.#operand, slots);
    const register = slots.source(this.#operand.base);
    const { offset } = this.#operand;
    const { index } = instruction;
    this.#origins = new AccessOrigins({ index, form, register, offset, read: this.#read });
    this.#isGrid = slots.isGrid;
    this.#isCompared = slots.isCompared;
    const { slice } = slots;
    this.#isOfData =
      form.atomic === '' &&
      slice !== null &&
      (slice.isData(instruction) || slice.leavesOut(instruction));
    this.#repeated = RepeatedAccesses.areOf(form, this.#isOfData)
      ? new RepeatedAccesses(form, register, this.#isOfData)
      : null;
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
    if (this.#isOfData) return this.#runData(warp, mask);
    unwritten.lanes = 0;
    const origins = this.#origins;
    const isFollowed = origins.isFollowed(warp);
    const isOne = !isFollowed && !warp.turns.isBlind && !warp.mode.isUncertain;
    const repeated = isOne ? this.#repeated : null;
    if (repeated?.replay(warp, mask) === true) return Status.done;
    const run = (): Status => this.#run(warp, mask);
    const status = isFollowed ? origins.around(warp, mask, run) : run();
    if (status !== Status.done) return status;
    if (unwritten.lanes === 0) repeated?.note(warp, mask);
    else this.#nameUnwritten(warp, mask);
    return status;
  }

  /** The same of what nothing looks at: where it lies is all that counts. */
  #runData(warp: Warp, mask: number): Status {
    this.#origins.decide(warp, mask);
    const isOne = !warp.mode.isUncertain && warp.ahead.look === null;
    const repeated = isOne ? this.#repeated : null;
    if (repeated?.replay(warp, mask) === true) return Status.done;
    const status = this.#run(warp, mask);
    if (status === Status.done) repeated?.note(warp, mask);
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
    if (!this.#isOfData) for (const register of form.results) compress(warp, register, mask);
    if (form.isStore && !this.#isOfData && !isOneLane) forgetContested(warp, touched);
    recordMaps(warp, instruction.index);
    if (touched.reads.length + touched.writes.length > 0) this.#record(warp, mask, touched);
    return Status.done;
  }

  /** Accesses memory in one lane; `false` where a look ahead would be observed. */
  #access(warp: Warp, lane: number, touched: Touched, isOneLane: boolean): boolean {
    const { space, isWrite } = this.form;
    const isKnown = this.#read(warp, lane, at);
    if (!isKnown) forgetLocal(warp, space);
    if (!isKnown && mayBeShared(warp, this.#instruction, space, this.#operand)) {
      if (warp.ahead.look !== null && isWrite) return false;
      this.#accessUnknown(warp, lane, touched);
      return true;
    }
    return this.#accessAt(warp, lane, isKnown, touched, isOneLane);
  }

  /** The same at an address, which is in `at`. */
  #accessAt(
    warp: Warp,
    lane: number,
    isKnown: boolean,
    touched: Touched,
    isOneLane: boolean,
  ): boolean {
    const { form } = this;
    const { space, bytes, width, isWrite } = form;
    if (isKnown) checkSpace(warp, space, at.low, at.high, this.#op);
    // A generic address of global memory has no window either.
    if (at.high === 0 || space === 'shared') at.high = WINDOW_OF[space];
    const { low, high } = at;
    warp.mode.accessing = 1 << lane;
    if (isKnown) this.#checkAddress(warp, low, high);
    const isShared = isKnown && high === SHARED_WINDOW;
    const isMet = isKnown && this.#isMet(warp, low, high);
    if (isMet && isWrite && warp.ahead.look !== null) return false;
    if (isMet) touched.lanes |= 1 << lane;
    if (!isKnown && this.#isGrid) assumeApart(warp, this.#instruction, space);
    if (this.#isOfData) return this.#accessData(warp, { isMet, isShared, isKnown }, touched);
    for (let element = 0; element < width; element++) {
      at.low = low + element * bytes;
      at.high = high;
      if (isMet) meet(warp, form, element, lane, touched);
      if (isShared) sharedAccess(warp, form, element, lane, isOneLane);
      else otherAccess(warp, this.#instruction, form, element, lane, isKnown);
    }
    return true;
  }

  /** Accesses memory at `at` in one lane, where what lies there is data that nothing looks at. */
  #accessData(
    warp: Warp,
    { isMet, isShared, isKnown }: { isMet: boolean; isShared: boolean; isKnown: boolean },
    { reads, writes }: Touched,
  ): boolean {
    const { form } = this;
    const { bytes, width, isWrite } = form;
    const { low, high } = at;
    const size = bytes * width;
    const place = isShared || !isMet ? low : placeOf(warp, high * 2 ** 32 + low);
    if (isMet) (isWrite ? writes : reads).push(place, place + size);
    if (isShared && isWrite) writeData(warp, low, low + size);
    if (isShared && warp.machine.memory.has(low, size)) return true;
    for (let element = 0; element < width; element++) {
      at.low = low + element * bytes;
      at.high = high;
      if (isShared) checkBounds(warp, bytes);
      else
        aroundOther(warp, this.#instruction, form, 31 - Math.clz32(warp.mode.accessing), isKnown);
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
    if (this.#isOwn) checkOwn(warp, low);
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
    const { stored, isPossible, unknown } = touched;
    let { values }: { values: readonly number[] } = touched;
    const { ranges } = warp.machine.memory;
    const [reads, writes] = [ranges.shared(touched.reads), ranges.shared(touched.writes)];
    const { index } = this.#instruction;
    if (form.atomic !== '') values = NOTHING_KNOWN;
    else if (this.#isOfData) values = form.isStore ? LEFT_OUT : values;
    else if (isPossible && form.isStore && values.length === 0)
      valuesAtDrawn(warp, this.#instruction, this.#operand, writes, touched.values);
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
    warp.progress.addition = { at: index, mask, count: adds.count, register, steps: length };
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
  const isKnown = warp.registers.read(register, lane, value) && !warp.mode.isUncertain;
  const own = storedValue(warp, register, lane, value, isKnown);
  stored.push(own, own);
  // A register of 128 bits has the identity of its lower half only: it is equal to no other.
  if (bytes === 16) values.push(warp.machine.fresh(), warp.number);
  else values.push(value.low, isKnown && bytes <= 4 ? 0 : value.high);
}
