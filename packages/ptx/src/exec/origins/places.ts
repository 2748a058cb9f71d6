// What is computed from addresses: which low bits of it are facts, whatever place memory has.
//
// A register with an address holds a number that the run made up. What is computed from it is an
// address, too, or a number that is the same for all places of memory, or it is not known.
import { executedPlace } from '../../launch/launch.ts';
import { Cause, OPAQUE } from '../../values/origin.ts';
import type { Origin } from '../../values/origin.ts';
import { firstLane, lanesOf } from '../../values/lane-mask.ts';
import { LANES } from '../../values/register-file.ts';
import { mix, seedOf, start } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { Addresses, Region } from '../machine/addresses.ts';
import { computePartly } from '../warp/operation.ts';
import type { Elementwise, Kind } from '../warp/operation.ts';
import { Evaluator } from './evaluate.ts';
import type { Warp } from '../warp/warp.ts';

/** Bits of a number that is a fact. */
const ALL = 64;
const HALF = 32;
/** Numbers below the first one, and with a high half from the second one on, are no addresses. */
const LOWEST = 4096;
const HIGHEST_WINDOW = 2 ** 24;

const ADDRESS = seedOf('an address');
const value: Wide = { low: 0, high: 0 };
const term: Wide = { low: 0, high: 0 };

/** What is known of an input in one lane. */
interface Input {
  /** Its value, with places where the run has them. */
  readonly low: number;
  readonly high: number;
  /** Whether the register holds it, and what it holds. */
  readonly isKnown: boolean;
  readonly termLow: number;
  readonly termHigh: number;
  /** How many of its low bits are facts. */
  readonly exact: number;
  /** What it is an address in; `null`: it is a number. */
  readonly region: Region | null;
}

/** What is known of a result: an address, or the low bits that are facts. */
type Result = 'address' | number;

/**
 * Whether an instruction has to look at its inputs: they may be addresses that it makes numbers of.
 */
export function meetsAddress(
  { machine, registers }: Warp,
  { sources, kind }: Elementwise,
  mask: number,
): boolean {
  const { addresses } = machine;
  const isIn = (register: number): boolean => {
    const { high, perLane, known } = registers;
    const first = register * LANES;
    if ((known[register]! & mask) === 0) return false;
    if (perLane[register] === 0) return addresses.isAddress(high[first]!);
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (addresses.isAddress(high[first + firstLane(rest)]!)) return true;
    return false;
  };
  switch (kind!.onAddresses) {
    case 'sum':
      return isIn(sources[1]) && isIn(sources[0]);
    case 'difference':
      return isIn(sources[1]);
    case 'product':
      return isIn(sources[0]) || isIn(sources[1]);
    case 'number':
      return sources.some(isIn);
    case 'same':
      return false;
  }
}

/** An address as an input of what is computed from it. */
function addressIn(origin: Origin, region: Region): Origin {
  const { name: text, bits, isBuffer, window } = region;
  const cause = Cause.place;
  const variable = { kind: 'buffer', window, bits } as const;
  return {
    axes: origin.axes,
    isUniform: origin.isUniform,
    from: cause,
    exact: bits,
    source: isBuffer ? { cause, text, variable } : { cause, text },
    inputs: [origin],
    rule: addressIn,
    evaluate: (values, lane, _place, out) => {
      const isKnown = values.read(0, lane, out);
      if (!isKnown || values.hidesAddresses !== true) return isKnown;
      identify(out);
      return false;
    },
    reach: ([address]) => address!,
  };
}

/** Values of lanes. */
export class LaneValues {
  readonly #low = new Uint32Array(LANES);
  readonly #high = new Uint32Array(LANES);
  #known = 0;
  #isUniform = true;
  #first = -1;

  set(lane: number, { low, high }: Wide, isKnown: boolean): void {
    this.#low[lane] = low;
    this.#high[lane] = high;
    if (isKnown) this.#known |= 1 << lane;
    if (this.#first < 0) this.#first = lane;
    const first = this.#first;
    const isSame = low === this.#low[first] && high === this.#high[first];
    this.#isUniform &&= isSame && isKnown === (((this.#known >>> first) & 1) === 1);
  }

  /** Writes them into the lanes of a register. */
  write({ registers, lanes }: Warp, register: number, mask: number): void {
    value.low = this.#low[this.#first]!;
    value.high = this.#high[this.#first]!;
    if (this.#isUniform)
      return registers.setUniform(register, value, this.#known !== 0, mask, lanes);
    const base = registers.openLanes(register, mask, lanes);
    for (const lane of lanesOf(mask)) {
      registers.low[base + lane] = this.#low[lane]!;
      registers.high[base + lane] = this.#high[lane]!;
    }
    registers.known[register] = (registers.known[register]! & ~mask) | (this.#known & mask);
  }
}

/** A result that is computed from addresses. */
export interface Placed {
  readonly inputs: readonly Origin[];
  /** How many of its low bits are facts; `null`: all of them, or it is an address. */
  readonly exact: number | null;
  readonly values: LaneValues;
}

/** Finds out what of a result is a fact, in some lanes, and computes it. */
export function placedResult(
  operation: Elementwise,
  warp: Warp,
  mask: number,
  origins: readonly Origin[],
): Placed {
  const { machine } = warp;
  const { sources, kind } = operation;
  const reader = new InputReader(warp, sources, origins);
  let exact = ALL;
  let isAddress = true;
  const regions = sources.map((): Region | null => null);
  const lanes = lanesOf(mask).map((lane) => ({ lane, inputs: reader.inputsOf(lane) }));
  for (const { inputs } of lanes) {
    for (const [index, { region }] of inputs.entries()) regions[index] ??= region;
    const result = kind === undefined ? least(inputs) : resultOf(kind, inputs, machine.addresses);
    if (result === 'address') continue;
    isAddress = false;
    exact = Math.min(exact, result);
  }
  const isFact = isAddress || exact >= (kind?.resultBits ?? ALL);
  const values = new LaneValues();
  for (const { lane, inputs } of lanes)
    values.set(lane, value, isFact ? factOf(operation, inputs) : unknownOf(operation, inputs));
  const named = origins.map((origin, index) => {
    const region = regions[index]!;
    return region === null || origin === OPAQUE ? origin : addressIn(origin, region);
  });
  return { inputs: named, exact: isFact ? null : exact, values };
}

/** Reads the inputs of an operation: with places where the run has them, beside what is unknown. */
class InputReader {
  readonly #warp: Warp;
  readonly #sources: readonly number[];
  readonly #origins: readonly Origin[];
  readonly #evaluator: Evaluator;

  constructor(warp: Warp, sources: readonly number[], origins: readonly Origin[]) {
    this.#warp = warp;
    this.#sources = sources;
    this.#origins = origins;
    this.#evaluator = new Evaluator(origins.filter(isOfPlace));
    this.#evaluator.at(executedPlace(warp.machine.launch));
  }

  inputsOf(lane: number): Input[] {
    return this.#sources.map((register, index) =>
      this.#input(register, this.#origins[index]!, lane),
    );
  }

  #input(register: number, origin: Origin, lane: number): Input {
    const { registers, machine } = this.#warp;
    const isKnown = registers.read(register, lane, term);
    const [low, high] = [term.low, term.high];
    if (isKnown) {
      const region = machine.addresses.regionOf(low, high);
      const exact = region?.bits ?? ALL;
      return { low, high, isKnown, exact, region, termLow: low, termHigh: high };
    }
    const unknown = { isKnown, region: null, termLow: low, termHigh: high };
    if (!isOfPlace(origin) || !this.#evaluator.valueOf(origin, lane, term))
      return { ...unknown, low, high, exact: 0 };
    return { ...unknown, low: term.low, high: term.high, exact: origin.exact ?? 0 };
  }
}

function isOfPlace(origin: Origin): boolean {
  return origin !== OPAQUE && (origin.from & Cause.place) !== 0;
}

/** Leaves in `value` the result with places where the run has them; whether it is known. */
function factOf({ compute }: Elementwise, [a, b, c, d]: readonly Input[]): boolean {
  compute(value, a!.low, a!.high, b!.low, b!.high, c!.low, c!.high, d!.low);
  return true;
}

/** Leaves in `value` the result of inputs of which addresses are unknown; whether it is known. */
function unknownOf(operation: Elementwise, inputs: readonly Input[]): boolean {
  let known = 0;
  const halves = inputs.flatMap((input, index) => {
    term.low = input.termLow;
    term.high = input.termHigh;
    if (input.isKnown && input.region === null) known |= 1 << index;
    else if (input.isKnown) identify(term);
    return [term.low, term.high];
  });
  const [aL, aH, bL, bH, cL, cH, dL, dH] = halves as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return computePartly(operation, known, aL, aH, bL, bH, cL, cH, dL, dH, value);
}

/** The identity of an address that is not known. */
function identify(address: Wide): void {
  const { low, high } = address;
  start(address, ADDRESS);
  mix(address, low, high, 1);
}

/** The bits that are facts of what is computed in a way that is not followed. */
function least(inputs: readonly Input[]): number {
  return inputs.every(({ exact }) => exact >= ALL) ? ALL : 0;
}

function lowest(...inputs: readonly Input[]): number {
  return Math.min(...inputs.map(({ exact }) => exact));
}

/** Whether the two lie in one allocation, of which differences are facts. */
function areOne({ region: one }: Input, { region: other }: Input): boolean {
  return one !== null && other !== null && one.window === other.window && one.name === other.name;
}

function isFact({ exact }: Input): boolean {
  return exact >= ALL;
}

/** Bits of a number up to the highest one. */
function lengthOf({ low, high }: Pick<Input, 'low' | 'high'>): number {
  return high === 0 ? 32 - Math.clz32(low) : 64 - Math.clz32(high);
}

function resultOf(kind: Kind, [a, b, c, d]: readonly Input[], addresses: Addresses): Result {
  switch (kind.rule) {
    case 'copy':
    case 'convert':
      // Of a shorter result the bits that are left out do not count.
      return a!.region !== null && kind.resultBits === ALL ? 'address' : a!.exact;
    case 'part':
      return Math.max(0, a!.exact - kind.shift);
    case 'pack':
      if (addresses.regionOf(a!.low, b!.low) !== null) return 'address';
      return a!.exact < HALF ? a!.exact : HALF + b!.exact;
    case 'add':
      return sumOf(a!, b!);
    case 'subtract':
      if (areOne(a!, b!)) return ALL;
      return b!.region === null ? sumOf(a!, b!) : lowest(a!, b!);
    case 'multiply':
      return lowest(a!, b!);
    case 'multiplyAdd':
      return sumOf(c!, { ...a!, exact: lowest(a!, b!), region: null });
    case 'and':
      return maskedBy(a!, b!) ?? maskedBy(b!, a!) ?? lowest(a!, b!);
    case 'or':
      return changedIn(a!, b!) ?? changedIn(b!, a!) ?? lowest(a!, b!);
    case 'shiftLeft':
      return isFact(b!) ? Math.min(ALL, a!.exact + b!.low) : 0;
    case 'shiftRight':
      return isFact(b!) ? Math.max(0, a!.exact - b!.low) : 0;
    case 'field': {
      if (!isFact(b!) || !isFact(c!)) return 0;
      return (b!.low & 255) + (c!.low & 255) <= a!.exact
        ? ALL
        : Math.max(0, a!.exact - (b!.low & 255));
    }
    case 'select': {
      if (!isFact(c!)) return 0;
      const chosen = c!.low !== 0 ? a! : b!;
      return chosen.region === null ? chosen.exact : 'address';
    }
    case 'compare':
      return isCompared(kind, a!, b!) && isFact(c!) && isFact(d!) ? ALL : 0;
    case 'space':
      return a!.region !== null || isFact(a!) ? ALL : 0;
    case 'other':
      return least([a!, b!, c!, d!].filter((each) => each !== undefined));
  }
}

/** An address and a fact are an address. */
function sumOf(a: Input, b: Input): Result {
  if ((a.region === null) !== (b.region === null) && (a.region === null ? isFact(a) : isFact(b)))
    return 'address';
  return lowest(a, b);
}

/** A number of which a mask, which is a fact, leaves bits; `null`: it is none. */
function maskedBy(a: Input, mask: Input): Result | null {
  if (!isFact(mask)) return null;
  if (lengthOf(mask) <= a.exact) return ALL;
  // Bits that are facts are cleared, and no others.
  const cleared = { low: ~mask.low >>> 0, high: ~mask.high >>> 0 };
  if (a.region !== null && lengthOf(cleared) <= a.exact) return 'address';
  return a.exact;
}

/** An address with changes of bits that are facts; `null`: it is none. */
function changedIn(a: Input, bits: Input): Result | null {
  return a.region !== null && isFact(bits) && lengthOf(bits) <= a.exact ? 'address' : null;
}

/** Whether a comparison has the same result wherever memory lies. */
function isCompared({ comparison, inputBits }: Kind, a: Input, b: Input): boolean {
  if (a.exact >= inputBits && b.exact >= inputBits) return true;
  if (areOne(a, b)) return true;
  const [one, other] = a.region === null ? [b, a] : [a, b];
  if (one.region === null) return false;
  // A number that is no address lies below all of them, or above.
  if (other.region === null) return isFact(other) && isNoAddress(other);
  if (comparison !== 'eq' && comparison !== 'ne') return false;
  return !(one.region.mayOverlap && other.region.mayOverlap);
}

function isNoAddress({ low, high }: Input): boolean {
  return high === 0 ? low < LOWEST : high >= HIGHEST_WINDOW;
}
