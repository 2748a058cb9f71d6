// Expressions over the place of a block: what a warp computes from it, beside the values of one.
import { ALL_LANES, LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { ALL_AXES, Cause, OPAQUE } from '../../values/origin.ts';
import type { Inputs, Origin, Place } from '../../values/origin.ts';
import { anyOf, byLane, constantOf, oneOf, stillIf } from '../../values/reach.ts';
import type { Reach } from '../../values/reach.ts';
import { mix, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { snapshotOf } from './fixed.ts';
import { meetsAddress, placedResult } from './places.ts';
import { inLanes, summed } from './sums.ts';
import type { LaneValues } from './places.ts';
import { computePartly } from '../warp/operation.ts';
import type { Elementwise } from '../warp/operation.ts';
import type { Warp } from '../warp/warp.ts';

const a: Wide = { low: 0, high: 0 };
const b: Wide = { low: 0, high: 0 };
const c: Wide = { low: 0, high: 0 };
const d: Wide = { low: 0, high: 0 };

function axesOf(inputs: readonly Origin[]): number {
  return inputs.reduce((axes, input) => axes | input.axes, 0);
}

function fromOf(inputs: readonly Origin[]): number {
  return inputs.reduce((from, input) => from | input.from, 0);
}

function areUniform(inputs: readonly Origin[]): boolean {
  return inputs.every(({ isUniform }) => isUniform);
}

/** Whether nothing is known of one of some values. */
function isOpaque(inputs: readonly Origin[]): boolean {
  return inputs.includes(OPAQUE);
}

/** What a register holds, as an expression. */
export function originOf(registers: RegisterFile, register: number): Origin {
  const own = registers.origins[register]!;
  if (own !== null && (own.evaluate !== null || own === OPAQUE)) return own;
  const values = snapshotOf(registers, register);
  return own === null ? values : of(own, values);
}

/** Values of which the source is known. */
export function of({ from, source }: Origin, values: Origin): Origin {
  return source === undefined ? values : { ...values, from, source };
}

/** The result of an elementwise operation whose inputs are followed. */
export interface Followed {
  /** How it is computed; `null`: from nothing that is followed. */
  readonly origin: Origin | null;
  /** Its values, where they are not simply computed from those of the registers. */
  readonly values: LaneValues | null;
}

/** What registers hold in the lanes that execute an instruction, in any block. */
function originsIn(registers: RegisterFile, sources: readonly number[], mask: number): Origin[] {
  const lanes = registers.isPicked === 1 ? ALL_LANES : mask;
  return sources.map((source) => inLanes(originOf(registers, source), lanes));
}

/** The result of an elementwise operation in some lanes. */
export function operationOf(operation: Elementwise, warp: Warp, mask: number): Followed {
  const { registers } = warp;
  const { sources, kind } = operation;
  const { depends, isPicked } = registers;
  const isAddressed =
    kind !== undefined && kind.onAddresses !== 'same' && meetsAddress(warp, operation, mask);
  const isFollowed = isPicked === 1 || sources.some((source) => depends[source] === 1);
  if (!isFollowed && !isAddressed) return { origin: null, values: null };
  const origins = originsIn(registers, sources, mask);
  const isOfPlace = isAddressed || origins.some(({ from }) => (from & Cause.place) !== 0);
  const placed = isOfPlace ? placedResult(operation, warp, mask, origins) : null;
  const values = placed?.values ?? null;
  if (isOpaque(origins)) return { origin: OPAQUE, values };
  const inputs = placed?.inputs ?? origins;
  const isFact = placed !== null && placed.exact === null;
  const from = isFact ? fromOf(inputs) & ~Cause.place : fromOf(inputs);
  if (isPicked === 0 && from === 0 && axesOf(inputs) === 0) return { origin: null, values };
  if (placed === null) return { origin: plainResult(operation, inputs), values };
  const exact = placed.exact ?? 0;
  return { origin: { ...computed(operation, inputs), from, exact, isFact }, values };
}

/** A result that is computed from no address. */
function plainResult(operation: Elementwise, inputs: readonly Origin[]): Origin {
  return summed(operation, inputs) ?? { ...computed(operation, inputs), exact: 0, isFact: false };
}

/** The result of an operation on values that are computed themselves. */
function computed(operation: Elementwise, inputs: readonly Origin[]): Origin {
  const { compute, orders } = operation;
  return {
    ...(orders === undefined ? {} : { orders }),
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: areUniform(inputs),
    inputs,
    rule: operation,
    operation: compute,
    evaluate: (values, lane, _cluster, out) => {
      const isA = values.read(0, lane, a);
      const isB = values.read(1, lane, b);
      const isC = values.read(2, lane, c);
      const isD = values.read(3, lane, d);
      if (isA && isB && isC && isD) {
        compute(out, a.low, a.high, b.low, b.high, c.low, c.high, d.low);
        return true;
      }
      const k = (isA ? 1 : 0) | (isB ? 2 : 0) | (isC ? 4 : 0) | (isD ? 8 : 0);
      const { low, high } = a;
      return computePartly(
        operation,
        k,
        low,
        high,
        b.low,
        b.high,
        c.low,
        c.high,
        d.low,
        d.high,
        out,
      );
    },
    reach: (all) => reachOfResult(operation, all as readonly Reach[]),
  };
}

/** How far a result reaches, whose inputs count in the lanes in which it does. */
function reachOfResult({ reach, bits }: Elementwise, inputs: readonly Reach[]): Reach {
  return reach?.(...inputs) ?? anyOf(bits, stillIf(...inputs));
}

/** Unknown data that is computed from values: the result at an index. */
function dataOf(rule: object, seed: number, index: number, inputs: readonly Origin[]): Origin {
  if (isOpaque(inputs)) return OPAQUE;
  const origin = {
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: areUniform(inputs),
    inputs,
    rule,
    index,
    isLike: (other: Origin) => (other as Partial<typeof origin>).index === index,
    evaluate: (values: Inputs, lane: number, _place: Place, out: Wide) => {
      start(out, seed ^ index);
      for (let at = 0; at < inputs.length; at++) {
        const isKnown = values.read(at, lane, a);
        mix(out, a.low, a.high, isKnown ? 1 : 0);
      }
      return false;
    },
    reach: () => null,
  };
  return origin;
}

/** What an instruction whose results are data computes them from. */
interface DataOf {
  readonly seed: number;
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
}

/** An instruction whose results are unknown data, which says how they are computed. */
export function withDataOrigins(
  rule: object,
  { seed, sources, destinations }: DataOf,
  plain: (warp: Warp, mask: number) => void,
): (warp: Warp, mask: number) => void {
  return (warp, mask) => {
    const { registers } = warp;
    const { depends } = registers;
    const isRead = registers.isPicked === 1 || sources.some((each) => depends[each] === 1);
    if (!isRead && !destinations.some((each) => depends[each] === 1)) return plain(warp, mask);
    const inputs = isRead ? sources.map((source) => originOf(registers, source)) : [];
    const before = destinations.map((each) => heldBefore(warp, mask, each));
    plain(warp, mask);
    for (const [index, register] of destinations.entries()) {
      const origin = isRead ? dataOf(rule, seed, index, inputs) : null;
      settle(warp, mask, register, origin, before[index]!);
    }
  };
}

/** One value in the lanes of a mask, another one in the others. */
export function merge(mask: number, inside: Origin, outer: Origin): Origin {
  // What was written in these lanes before does not count any more.
  const isCovered = outer.merged !== undefined && (outer.merged & ~mask) === 0;
  const outside = isCovered ? outer.inputs[1]! : outer;
  const inputs = [inside, outside];
  if (isOpaque(inputs)) return OPAQUE;
  return {
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: false,
    inputs,
    rule: `merge ${mask}`,
    merged: mask,
    lanesOf: (index, lanes) => lanes & (index === 0 ? mask : ~mask),
    evaluate: (values, lane, _cluster, out) => values.read((mask >>> lane) & 1 ? 0 : 1, lane, out),
    reach: ([own, others], _box, lanes) => reachBeside(mask, lanes, own!, others!),
  };
}

/** How far some lanes reach that have one value within a mask, and another one outside. */
function reachBeside(mask: number, lanes: number, inside: Reach, outside: Reach): Reach {
  if ((lanes & ~mask) === 0) return inside;
  return (lanes & mask) === 0 ? outside : byLane([inside, outside]);
}

/** In the lanes of a mask the first value where a predicate holds; else the second one. */
export function pick(mask: number, isNegated: boolean, inputs: readonly Origin[]): Origin {
  if (isOpaque(inputs)) return OPAQUE;
  return {
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: mask === -1 && areUniform(inputs),
    inputs,
    rule: `pick ${mask} ${isNegated}`,
    lanesOf: (index, lanes) => (index === 2 ? lanes : lanes & mask),
    evaluate: (values, lane, _cluster, out) => {
      if (((mask >>> lane) & 1) === 0) return values.read(2, lane, out);
      if (!values.read(0, lane, out)) {
        // Which one it is is not known.
        start(a, 0x7069);
        mix(a, out.low, out.high, 0);
        for (const index of [1, 2]) mix(a, b.low, b.high, values.read(index, lane, b) ? 1 : 0);
        out.low = a.low;
        out.high = a.high;
        return false;
      }
      return values.read((out.low !== 0) !== isNegated ? 1 : 2, lane, out);
    },
    reach: ([guard, chosen, before], _box, lanes) => {
      if ((lanes & mask) === 0) return before!;
      const holds = constantOf(guard!);
      const isChosen = (holds !== 0) !== isNegated;
      const inside = holds === null ? oneOf(chosen!, before!) : isChosen ? chosen! : before!;
      return reachBeside(mask, lanes, inside, before!);
    },
  };
}

/**
 * Writes a register in the lanes of a mask, and says how it is computed: `origin` in the lanes that
 * execute the instruction, what it held before in the others.
 */
export function written(
  warp: Warp,
  mask: number,
  register: number,
  origin: Origin | null,
  write: () => void,
): void {
  const before = heldBefore(warp, mask, register);
  write();
  settle(warp, mask, register, origin, before);
}

/**
 * What a register holds that is written in some lanes, or in other lanes by other blocks: until
 * {@link settle} nothing is said of it.
 */
export function heldBefore(warp: Warp, mask: number, register: number) {
  const { lanes, registers } = warp;
  const isOfAll = mask === lanes || areAllLeft(warp, mask);
  if (warp.mode.picked === null && isOfAll) return null;
  const before = originOf(registers, register);
  registers.setOrigin(register, null);
  return before;
}

/** Whether all other lanes have ended: what they hold is never read. */
function areAllLeft(warp: Warp, mask: number): boolean {
  const { shadow, stack, mode, ahead, apart } = warp;
  const isPlain = !mode.isUncertain && ahead.look === null && !shadow.isRunning;
  const areTogether = apart.fibers.length === 0 && apart.parted === null;
  return isPlain && areTogether && stack.live === mask;
}

/** Puts back what was said of a register that was not written. */
export function unsettle({ registers }: Warp, register: number, before: Origin | null): void {
  if (before !== null && (before.axes !== 0 || before.from !== 0))
    registers.setOrigin(register, before);
}

/** Says how a register that was written is computed: `null`, not from the place of the block. */
export function settle(
  warp: Warp,
  mask: number,
  register: number,
  origin: Origin | null,
  before: Origin | null,
): void {
  const { registers } = warp;
  const { picked } = warp.mode;
  if (before === null) return registers.setOrigin(register, origin);
  if (picked !== null) {
    const inputs = [picked.guard, origin ?? OPAQUE, before];
    const lanes = picked.mask === warp.lanes ? -1 : picked.mask;
    return registers.setOrigin(register, pick(lanes, picked.isNegated, inputs));
  }
  const isLost = before.axes === 0 && (before.from & ~Cause.none) === 0;
  registers.setOrigin(register, null);
  if (origin === null && isLost) return;
  registers.setOrigin(register, merge(mask, origin ?? originOf(registers, register), before));
}

/** Where a value was stored: how it is computed, and by which lane. */
export interface Stored {
  readonly origin: Origin;
  readonly lane: number;
}

/** What a lane stores of a register; `null`: it is not computed from the block. */
export function storedOf({ registers }: Warp, register: number, lane: number): Stored | null {
  return registers.depends[register] === 0 ? null : { origin: originOf(registers, register), lane };
}

/**
 * What lanes load of stored values, one for each lane; `null` where none is computed from the
 * block. `narrow` makes a known value what is loaded of its first bytes.
 */
export function gathered(
  warp: Warp,
  register: number,
  stored: readonly (Stored | null)[],
  narrow: (value: Wide) => void,
  bytes: number,
): Origin | null {
  if (!stored.some((each) => each !== null)) return null;
  // What is not computed from the block is as it was loaded.
  const own: Origin = snapshotOf(warp.registers, register);
  const inputs = [...new Set(stored.flatMap((each) => (each === null ? [] : [each.origin]))), own];
  if (isOpaque(inputs)) return OPAQUE;
  const indices = stored.map((each) => inputs.indexOf(each?.origin ?? own));
  const isRead = (index: number, lanes: number): boolean =>
    indices.some((input, lane) => input === index && ((lanes >>> lane) & 1) === 1);
  return {
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: false,
    inputs,
    rule: {},
    lanesOf: (index, lanes) => (isRead(index, lanes) ? -1 : 0),
    evaluate: (values, lane, _place, out) => {
      const source = stored[lane] ?? null;
      if (source === null) return values.read(inputs.length - 1, lane, out);
      const isKnown = values.read(indices[lane]!, source.lane, out);
      if (isKnown) narrow(out);
      return isKnown;
    },
    reach: (all) => (bytes < 4 ? null : byLane(all.filter((each) => each !== null))),
  };
}

/** What is loaded from memory that no thread of the kernel changes, at an address. */
export function loaded(
  address: Origin,
  load: (isKnown: boolean, lane: number, out: Wide) => boolean,
): Origin {
  if (address === OPAQUE) return OPAQUE;
  return {
    axes: address.axes,
    from: address.from,
    isUniform: false,
    inputs: [address],
    rule: {},
    evaluate: (values, lane, _place, out) => load(values.read(0, lane, out), lane, out),
    reach: () => null,
  };
}

/** What was found among the writes of others: in each block it may be something else. */
export function ofOthers(found: Origin): Origin {
  return {
    axes: ALL_AXES,
    from: 0,
    isUniform: false,
    inputs: [found],
    rule: 'of others',
    evaluate: (values, lane, [x, y, z], out) => {
      values.read(0, lane, a);
      start(out, 0x6f74);
      mix(out, a.low, a.high, lane);
      mix(out, x, y, z);
      return false;
    },
    reach: () => null,
  };
}

/** The value of another lane for each lane. */
export function shuffled(
  inputs: readonly [value: Origin, distance: Origin, control: Origin],
  mask: number,
  sourceOf: (lane: number, distance: number, control: number) => number,
): Origin {
  if (isOpaque(inputs)) return OPAQUE;
  return {
    axes: axesOf(inputs),
    from: fromOf(inputs),
    isUniform: false,
    inputs,
    rule: sourceOf,
    evaluate: (values, lane, _place, out) => {
      const isKnown = values.read(1, lane, b) && values.read(2, lane, c);
      const from = sourceOf(lane, b.low & 31, c.low);
      if (isKnown && ((mask >>> from) & 1) === 1) return values.read(0, from, out);
      start(out, 0x7368);
      mix(out, lane, from, 0);
      return false;
    },
    reach: () => null,
  };
}

/** One value of all lanes together, where all of theirs are known. */
export function together(
  input: Origin,
  mask: number,
  rule: unknown,
  combine: (values: readonly number[]) => number,
): Origin {
  if (input === OPAQUE) return OPAQUE;
  return {
    axes: input.axes,
    from: input.from,
    isUniform: true,
    inputs: [input],
    rule,
    evaluate: (values, _lane, _place, out) => {
      const read: number[] = [];
      let isKnown = true;
      start(a, 0x766f);
      for (let lane = 0; lane < LANES; lane++) {
        if (((mask >>> lane) & 1) === 0) continue;
        const isOne = values.read(0, lane, out);
        isKnown &&= isOne;
        mix(a, out.low, out.high, isOne ? 1 : 0);
        read.push(out.low);
      }
      out.low = isKnown ? combine(read) >>> 0 : a.low;
      out.high = isKnown ? 0 : a.high;
      return isKnown;
    },
    reach: (all) => anyOf(32, stillIf(...(all as readonly Reach[]))),
  };
}
