// Notes what the warps of a cluster touch in global memory, as they execute instructions.
import type {
  BoxTouch,
  Effect,
  NotedTouches,
  StoredElements,
  Touch,
  UnknownTouch,
} from '../../steps/touches.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import { distanceOf, inLanes } from '../origins/sums.ts';
import { denseOf } from './dense.ts';
import type { Warp } from '../warp/warp.ts';

/** The most touches that are kept; of more, it is only known that there are some. */
const MAX_TOUCHES = 2 ** 20;

/** The last touches of a warp that others may go on. */
const MAX_RECENT = 6;

/** The bits of an address. */
const ADDRESS = 64;
/** The most sums of one expression that others are so far from. */
const MAX_SUMS = 32;

const addresses = new Float64Array(LANES);

/** All that the warps of a cluster touch. */
export class GlobalTouches implements NotedTouches {
  readonly list: Touch[] = [];
  readonly boxes: BoxTouch[] = [];
  readonly unknown = new Map<number, UnknownTouch>();
  /** Whether a run passes over what is added. */
  isPassed = false;
  /** The last touch of each warp at each instruction. */
  readonly #last = new Map<number, Touch>();
  #isJoining = false;
  /** By warp: the last touches that others may go on. */
  readonly #recent = new Map<number, number[]>();
  #dense: { readonly of: number; readonly list: readonly Touch[] } | null = null;
  /** By an expression: sums of it, from which the addresses of others are so far. */
  readonly #sums = new Map<Origin, { readonly origin: Origin; readonly unit: number }[]>();

  /** Those that lie beside each other as one. */
  get dense(): readonly Touch[] {
    if (this.#dense?.of !== this.list.length)
      this.#dense = { of: this.list.length, list: denseOf(this.list) };
    return this.#dense.list;
  }

  /** The addresses of lanes, for {@link add}. */
  get addresses(): Float64Array {
    return addresses;
  }

  /** From now on, touches that lie beside each other become one as they are added. */
  join(): void {
    this.#isJoining = true;
  }

  /** Adds what lanes touch; their addresses are in `addresses`. */
  add(
    warp: Warp,
    at: number,
    lanes: number,
    effect: Effect & Pick<Touch, 'also'>,
    from: Pick<Touch, 'origin' | 'offset'>,
    stored: Touch['stored'],
    size: Origin | null = null,
  ): void {
    const { isPassed } = this;
    if (this.list.length >= MAX_TOUCHES) return this.addUnknown(at, effect, false);
    const { base, stride, list } = shapeOf(lanes);
    const guard = size === null ? warp.mode.picked : { guard: size, isNegated: false, mask: lanes };
    const { number } = warp;
    const key = number * 2 ** 24 + at;
    const { origin, offset } = this.#placed(from, lanes, effect.unit);
    const touch: Touch = {
      at,
      warp: number,
      lanes,
      base,
      stride,
      list,
      origin,
      offset,
      guard,
      stored,
      ...(size === null ? {} : { isSized: true }),
      isPossible: warp.mode.isUncertain || warp.shadow.isRunning || isPassed,
      ...effect,
    };
    const last = this.#last.get(key);
    if (last !== undefined && includes(last, touch)) return;
    this.#last.set(key, touch);
    if (!this.#isJoining || !this.#joined(touch)) this.list.push(touch);
  }

  /** Whether one of the last touches of a warp goes on with another one, and is now both. */
  #joined(touch: Touch): boolean {
    let recent = this.#recent.get(touch.warp);
    if (recent === undefined) this.#recent.set(touch.warp, (recent = []));
    for (const index of recent) {
      const own = this.list[index]!;
      const both = goesOn(own, touch);
      if (both === null) continue;
      if (both !== own) this.#dense = null;
      this.list[index] = both;
      return true;
    }
    if (recent.length >= MAX_RECENT) recent.shift();
    recent.push(this.list.length);
    return false;
  }

  /** Where lanes touch memory: behind the first sum of the same expression that is as even. */
  #placed(
    { origin, offset }: Pick<Touch, 'origin' | 'offset'>,
    lanes: number,
    unit: number,
  ): Pick<Touch, 'origin' | 'offset'> {
    if (origin === null || origin === OPAQUE) return { origin, offset };
    const own = inLanes(origin, lanes);
    if (own.sum?.bits !== ADDRESS) return { origin: own, offset };
    let known = this.#sums.get(own.sum.base);
    if (known === undefined) this.#sums.set(own.sum.base, (known = []));
    for (const each of known) {
      const distance = each.unit === unit ? distanceOf(own.sum, each.origin.sum!, lanes) : null;
      if (distance !== null && distance % unit === 0)
        return { origin: each.origin, offset: offset + distance };
    }
    if (known.length < MAX_SUMS) known.push({ origin: own, unit });
    return { origin: own, offset };
  }

  /** Adds a box that a copy moves. */
  addBox(box: BoxTouch): void {
    if (this.boxes.length < MAX_TOUCHES) this.boxes.push(box);
    else this.addUnknown(box.at, box.effect, false);
  }

  /** Adds an instruction whose addresses are not known. */
  addUnknown(
    at: number,
    { isRead, isWrite, kind, reach }: Omit<Effect, 'bytes' | 'unit'>,
    isPassed: boolean,
  ): void {
    const known = this.unknown.get(at);
    if (known !== undefined && (!known.isPassed || isPassed)) return;
    const own = { at, isRead, isWrite, kind, isPassed };
    this.unknown.set(at, reach === undefined ? own : { ...own, reach });
  }
}

/** Two touches of lanes as one, where the second one begins in the first one or at its end. */
function goesOn(own: Touch, next: Touch): Touch | null {
  const isAlike =
    own.lanes === next.lanes &&
    own.origin === next.origin &&
    own.stride === next.stride &&
    own.unit === next.unit &&
    own.isRead === next.isRead &&
    own.isWrite === next.isWrite &&
    own.isPossible === next.isPossible;
  if (!isAlike || !isJoinable(own) || !isJoinable(next)) return null;
  const [distance, end] = [next.base - own.base, own.base + own.bytes];
  if (distance < 0 || next.base > end || distance % own.unit !== 0) return null;
  const isKnown = own.at === next.at || own.also?.has(next.at) === true;
  const last = next.base + next.bytes;
  if (isKnown && next.also === undefined && last <= end) return own;
  const also = new Set([...(own.also ?? []), next.at, ...(next.also ?? [])]);
  also.delete(own.at);
  return { ...own, bytes: Math.max(own.bytes, last - own.base), also };
}

/** Whether a touch is a plain access of lanes as far from each other, of data or of a read. */
function isJoinable({ kind, list, guard, reach, isCopy, isSized, stored }: Touch): boolean {
  const isPlain = kind === 'plain' && isCopy !== true && isSized !== true;
  const isLeftOut = stored === null || stored.isLeftOut === true;
  return isPlain && list === null && guard === null && reach === undefined && isLeftOut;
}

/** Whether a touch of an instruction is part of the one before. */
function includes(last: Touch, touch: Touch): boolean {
  const { stored } = touch;
  return (
    touch.list === null &&
    (stored === null || areAlike(stored, last.stored)) &&
    last.list === null &&
    last.base === touch.base &&
    last.stride === touch.stride &&
    last.lanes === touch.lanes &&
    last.origin === touch.origin &&
    last.offset === touch.offset &&
    last.bytes >= touch.bytes &&
    last.guard?.guard === touch.guard?.guard
  );
}

function areAlike(one: StoredElements, other: StoredElements | null): boolean {
  if (other === null || one.fixed !== other.fixed) return false;
  return one.origins.every((each, index) => each === other.origins[index]);
}

/** The instructions that touch it. */
export function instructionsOf({ at, also }: Pick<Touch, 'at' | 'also'>): readonly number[] {
  return also === undefined ? [at] : [at, ...also];
}

/** The addresses of lanes as a base and a distance, or as a list. */
function shapeOf(lanes: number): Pick<Touch, 'base' | 'stride' | 'list'> {
  const first = 31 - Math.clz32(lanes & -lanes);
  const rest = lanes & (lanes - 1);
  const base = addresses[first]!;
  if (rest === 0) return { base, stride: 0, list: null };
  const second = 31 - Math.clz32(rest & -rest);
  const stride = addresses[second]! - base;
  let place = base;
  let isEven = true;
  for (let left = lanes; left !== 0; left &= left - 1) {
    const lane = 31 - Math.clz32(left & -left);
    isEven &&= addresses[lane] === place;
    place += stride;
  }
  if (isEven) return { base, stride, list: null };
  const list: number[] = [];
  for (let left = lanes; left !== 0; left &= left - 1)
    list.push(addresses[31 - Math.clz32(left & -left)]!);
  return { base, stride: 0, list: Float64Array.from(list) };
}

/** The address of each lane of a touch, in their order. */
export function addressesOf({ lanes, base, stride, list }: Touch): ArrayLike<number> {
  if (list !== null) return list;
  const found: number[] = [];
  for (let left = lanes, place = base; left !== 0; left &= left - 1, place += stride)
    found.push(place);
  return found;
}

/** The ranges of a touch; lanes beside each other are one. */
export function rangesOf(touch: Touch): number[] {
  const { bytes, stride, base, list, lanes } = touch;
  const count = countOf(lanes);
  if (list === null && (count === 1 || stride === bytes)) return [base, base + count * bytes];
  const addresses = addressesOf(touch);
  const ranges: number[] = [];
  for (let index = 0; index < addresses.length; index++) {
    const from = addresses[index]!;
    if (ranges.at(-1) === from) ranges[ranges.length - 1] = from + bytes;
    else ranges.push(from, from + bytes);
  }
  return ranges;
}

function countOf(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
