// Summarizes a counted loop instead of executing each iteration: counters advance by as much as all
// of them do, and what they touch is noted at once. docs/explanation/loop-summaries.md.
import { LOCAL_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../../launch/windows.ts';
import type { ScalarType } from '../../isa/scalar-type.ts';
import { OPAQUE } from '../../values/origin.ts';
import type { Touch } from '../../steps/touches.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import type { Wide } from '../../values/wide.ts';
import { STORED_ANYTHING } from '../footprints/touching.ts';
import type { Touching } from '../footprints/touching.ts';
import type { GlobalTouches } from '../footprints/touches.ts';
import type { Range } from '../origins/within.ts';
import { isPlain } from './around.ts';
import type { LoopTest } from './counted-loop.ts';
import { isSigned } from './form.ts';
import { LoopSlopes, numberOf } from './loop-slopes.ts';
import type { Unwrapped } from './loop-slopes.ts';
import type { Warp } from './warp.ts';

/** The fewest rounds that are worth it. */
const FEWEST = 4;
/** Rounds until it is tried again where it was not, and where a number cannot be followed. */
const SOON = 8;
const LATE = 64;
const HALF = 2 ** 32;
const APART: ReadonlySet<number> = new Set([SHARED_WINDOW, LOCAL_WINDOW, PARAMETER_WINDOW, 0]);

const value: Wide = { low: 0, high: 0 };

/** What rounds touch by one instruction: the bytes of each of them, from the first lane on. */
interface Rounds {
  readonly touching: Touching;
  readonly slope: number;
  /** By lane: where it touches memory in the first of the rounds. */
  readonly from: readonly number[];
  /** How far that is behind what the register of the address holds. */
  readonly offset: number;
}

/**
 * Passes over rounds at the branch that all lanes take back.
 *
 * @returns In which round it is tried again.
 */
export function summarizeLoop(warp: Warp, at: number, mask: number, round: number): number {
  const loop = warp.program.countedLoops.get(at);
  if (loop === undefined) return Number.POSITIVE_INFINITY;
  if (!mayPassOver(warp)) return round + LATE;
  const slopes = new LoopSlopes(warp, mask, loop);
  const { machine, registers, progress } = warp;
  const lanes = lanesOf(mask);
  const left = slopes.areCounted ? roundsLeft(warp, at, loop.test, slopes, lanes) : Number.NaN;
  if (Number.isNaN(left)) return round + LATE;
  // The last round that all lanes go on behind is executed.
  const count = left - 1;
  if (count < FEWEST) return round + Math.min(left + 1, SOON);
  const ranges = rangesOf(warp, wholeIn(warp, loop.test, slopes), lanes, count);
  const touched = loop.accesses.map((each) => roundsOf(warp, each, slopes, lanes, count));
  const isFar = loop.counters.some(({ register }) => Math.abs(slopes.of(register) * count) >= HALF);
  if (isFar || ranges === null || touched.includes(null)) return round + LATE;
  for (const [register, range] of ranges) machine.blocks!.range(warp, register, at, mask, range);
  if (machine.touches !== null) note(warp, machine.touches, touched as Rounds[], mask, count);
  for (const { register, bits, distance, advance } of loop.counters) {
    const whole = slopes.of(register) * count;
    value.low = whole >>> 0;
    value.high = bits === 64 ? Math.floor(whole / HALF) >>> 0 : 0;
    registers.setUniform(distance, value, true, warp.lanes, warp.lanes);
    advance(warp, mask);
  }
  progress.rounds.set(at, round + count);
  return round + count + 1;
}

/** Whether a warp executes what happens, and nothing else follows each instruction. */
function mayPassOver(warp: Warp): boolean {
  const { machine, turns, inFlight } = warp;
  const { observer, global, tensorMaps } = machine;
  if (observer !== null || turns.isBlind || inFlight !== null) return false;
  return isPlain(warp) && !global.hasContents && !tensorMaps.isWatching;
}

/** How many rounds more all lanes go on behind; NaN where that is not known. */
function roundsLeft(
  { registers, program }: Warp,
  at: number,
  test: LoopTest,
  slopes: LoopSlopes,
  lanes: readonly number[],
): number {
  const { type, sources } = test;
  const [a, b] = sources;
  const isSecond = slopes.of(a) === 0;
  const [grows, fixed] = isSecond ? [b, a] : [a, b];
  const slope = slopes.of(grows);
  if (slopes.of(fixed) !== 0 || !Number.isSafeInteger(slope) || slope === 0) return Number.NaN;
  const lag = slopes.lagAt(grows, test.at);
  let least = Number.POSITIVE_INFINITY;
  for (const lane of lanes) {
    if (!registers.read(grows, lane, value)) return Number.NaN;
    const from = numberOf(value, type) - lag;
    if (!registers.read(fixed, lane, value)) return Number.NaN;
    const bound = numberOf(value, type);
    const goesOn = program.isNegated[at] === 0;
    least = Math.min(least, untilEnd(test, { from, slope, bound }, isSecond, goesOn));
    if (Number.isNaN(least)) return least;
  }
  return least;
}

/** A number that grows, and one that it is compared with. */
interface Race {
  readonly from: number;
  readonly slope: number;
  readonly bound: number;
}

/** Comparisons as those of the first number with the second one, and as their opposites. */
const TURNED = { lt: 'gt', le: 'ge', gt: 'lt', ge: 'le', eq: 'eq', ne: 'ne' } as const;
const OPPOSITE = { lt: 'ge', le: 'gt', gt: 'le', ge: 'lt', eq: 'ne', ne: 'eq' } as const;
type Order = keyof typeof TURNED;
const ORDERS: Readonly<Partial<Record<LoopTest['comparison'], Order>>> = {
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
  eq: 'eq',
  ne: 'ne',
  lo: 'lt',
  ls: 'le',
  hi: 'gt',
  hs: 'ge',
};

/** For how many rounds a comparison says that the loop goes on; NaN where that is not known. */
function untilEnd(
  { comparison, type }: LoopTest,
  { from, slope, bound }: Race,
  isSecond: boolean,
  goesOn: boolean,
): number {
  const named = ORDERS[comparison];
  if (named === undefined || ![from, bound].every(Number.isSafeInteger)) return Number.NaN;
  const own = isSecond ? TURNED[named] : named;
  const order = goesOn ? own : OPPOSITE[own];
  const sign = Math.sign(slope);
  const distance = (bound - from) * sign;
  const step = slope * sign;
  if (!isWithin(from, type) || distance < 0) return Number.NaN;
  switch (order) {
    case 'ne':
      return distance > 0 && distance % step === 0 ? distance / step - 1 : Number.NaN;
    case 'lt':
    case 'gt':
      return (order === 'lt') === sign > 0 ? Math.ceil(distance / step) - 1 : Number.NaN;
    case 'le':
    case 'ge':
      return (order === 'le') === sign > 0 ? Math.floor(distance / step) : Number.NaN;
    case 'eq':
      return Number.NaN;
  }
}

/** Whether a number is one of a type that is computed exactly. */
function isWithin(number: number, type: ScalarType): boolean {
  const bits = Math.min(type.bits, 53);
  const [least, most] = isSigned(type)
    ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
    : [0, 2 ** bits - 1];
  return number >= least && number <= most;
}

/** Registers that must not wrap, and in how many rounds. */
function wholeIn({ registers }: Warp, test: LoopTest, slopes: LoopSlopes): readonly Unwrapped[] {
  const { unwrapped } = slopes;
  // Blocks that leave when two numbers are equal leave in the same round.
  if (test.comparison === 'eq' || test.comparison === 'ne') return unwrapped;
  // Who goes on in a later round has gone on before.
  const [a, b] = test.sources;
  const register = slopes.of(a) === 0 ? b : a;
  if (registers.depends[register] === 0) return unwrapped;
  return [...unwrapped, { register, type: test.type, slope: slopes.of(register) }];
}

/**
 * The ranges in which registers do not wrap in the rounds, of those that other blocks compute in
 * another way; `null` where one may wrap.
 */
function rangesOf(
  { machine, registers }: Warp,
  whole: readonly Unwrapped[],
  lanes: readonly number[],
  count: number,
): [number, Range][] | null {
  const ranges: [number, Range][] = [];
  for (const { register, type, slope } of whole) {
    // From the round before to the one behind them.
    const [back, ahead] = [slope, slope * (count + 1)];
    const isWhole = lanes.every((lane) => {
      if (!registers.read(register, lane, value)) return false;
      const now = numberOf(value, type);
      return isWithin(now - back, type) && isWithin(now + ahead, type);
    });
    if (!isWhole) return null;
    if (machine.blocks === null || registers.depends[register] === 0) continue;
    if (type.bits !== 32 || registers.origins[register] === OPAQUE) return null;
    const [first, last] = isSigned(type) ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
    const least = first + Math.max(back, -ahead);
    const most = last - Math.max(-back, ahead);
    ranges.push([register, { type, least, most }]);
  }
  return ranges;
}

/** What an instruction touches in the rounds; `null` where one may be unlike the others. */
function roundsOf(
  warp: Warp,
  touching: Touching,
  slopes: LoopSlopes,
  lanes: readonly number[],
  count: number,
): Rounds | null {
  const { registers, machine } = warp;
  const { index, operand, effect } = touching;
  const [base] = touching.registers as [number];
  const slope = slopes.of(base);
  const shift = operand.kind === 'address' ? operand.offset : Number.NaN;
  if (!Number.isSafeInteger(slope) || slope % effect.unit !== 0 || Number.isNaN(shift)) return null;
  if (registers.depends[base] === 1 && registers.origins[base] === OPAQUE) return null;
  const offset = shift + slope - slopes.lagAt(base, index);
  const from: number[] = [];
  for (const lane of lanes) {
    if (!registers.read(base, lane, value)) return null;
    const { high } = value;
    const first = value.low + offset - slope;
    const last = value.low + offset + slope * (count - 1);
    // All bytes lie in one window, and in the buffer there.
    const [least, end] = [Math.min(first, last), Math.max(first, last) + effect.bytes];
    if (least < 0 || end > HALF || APART.has(high)) return null;
    const { bounds } = machine.launch;
    if (bounds.size > 0 && (bounds.get(high)?.bytes ?? -1) < end) return null;
    if (effect.unit > machine.placement.leastPromise(high) || first % effect.unit !== 0)
      return null;
    from.push(high * HALF + value.low + offset);
  }
  return { touching, slope, from, offset };
}

/** Notes what all rounds touch. */
function note(
  warp: Warp,
  touches: GlobalTouches,
  all: readonly Rounds[],
  mask: number,
  count: number,
): void {
  const lanes = lanesOf(mask);
  for (const each of tiled(all, count)) {
    const { touching, slope, bytes, also } = each;
    const { index, effect, registers } = touching;
    const base = registers[0]!;
    const origin = warp.registers.depends[base] === 1 ? warp.registers.origins[base]! : null;
    const stored = effect.isWrite ? STORED_ANYTHING : null;
    // Where the address is the same in each round, it was noted before.
    const times = slope === 0 ? 0 : each.times;
    for (let time = 0; time < times; time++) {
      for (const [place, lane] of lanes.entries())
        touches.addresses[lane] = each.from[place]! + slope * time;
      const from = { origin, offset: each.offset + slope * time };
      touches.add(warp, index, mask, { ...effect, bytes, ...also }, from, stored);
    }
  }
}

/** Touches of rounds, of which `times` are noted. */
interface Tiled extends Rounds {
  readonly times: number;
  readonly bytes: number;
  readonly also: Pick<Touch, 'also'>;
}

/** Touches that leave no byte out from one round to the next, as one of all rounds. */
function tiled(all: readonly Rounds[], count: number): Tiled[] {
  const alike = new Map<string, Rounds[]>();
  for (const each of all) {
    const { touching, slope, from, offset } = each;
    const { isRead, isWrite, unit } = touching.effect;
    const shape = from.map((own) => own - offset).join();
    const key = `${touching.registers[0]} ${slope} ${isRead} ${isWrite} ${unit} ${shape}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [each]);
    else known.push(each);
  }
  return [...alike.values()].flatMap((own) => joined(own, count));
}

function joined(alike: readonly Rounds[], count: number): Tiled[] {
  const sorted = alike.toSorted((one, other) => one.offset - other.offset);
  const [first] = sorted as [Rounds];
  const length = Math.abs(first.slope);
  let end = first.offset;
  for (const { offset, touching } of sorted)
    if (offset <= end) end = Math.max(end, offset + touching.effect.bytes);
  const isWhole = length > 0 && end - first.offset >= length && sorted.at(-1)!.offset < end;
  if (!isWhole)
    return sorted.map((each) => {
      const { bytes } = each.touching.effect;
      return { ...each, times: count, bytes, also: {} };
    });
  const bytes = end - first.offset + length * (count - 1);
  const back = first.slope < 0 ? length * (count - 1) : 0;
  const also = new Set(sorted.slice(1).map(({ touching }) => touching.index));
  const from = first.from.map((own) => own - back);
  return [{ ...first, from, offset: first.offset - back, times: 1, bytes, also: { also } }];
}
