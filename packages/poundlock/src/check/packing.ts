// Packs a state into few words: every changing word gets just the bits that its values need.
import { BARRIER_WORDS, E, type Machine } from '../machine/index.ts';

const LANE_BITS = 32;
/** Flights are packed by twos behind the fixed lanes, their number first. */
const FLIGHT_BITS = 16;
/** Extra bits for words that count steps, because a search sees more of them than one walk. */
const STEP_HEADROOM = 2;

/** A word of the state inside the packed form. */
interface Field {
  readonly word: number;
  readonly least: number;
  readonly bits: number;
}

/**
 * How a state is packed. Which words change and how far is learned from states; a state that does
 * not fit is packed wrong, but sets {@link hasGrown}: everything packed before is stale then, and
 * the next packing has room for it.
 */
export class Packing {
  readonly #machine: Machine;
  readonly #flightsAt: number;
  /** By word: the least and the greatest value that was seen. */
  readonly #least: Int32Array;
  readonly #greatest: Int32Array;
  /** Words of which only one value was seen: those any operation can write, and the rare ones. */
  #constant = new Int32Array(0);
  #rare = new Int32Array(0);
  /** The fields in lane order: word, least value, bits, shift, and whether its lane ends there. */
  #words = new Int32Array(0);
  #offsets = new Int32Array(0);
  #bits = new Int32Array(0);
  #shifts = new Int32Array(0);
  #ends = new Uint8Array(0);
  #lanes = 0;
  hasGrown = false;
  /** A hash of the last state that was packed. */
  hash = 0;

  constructor(machine: Machine, initial: Int32Array) {
    this.#machine = machine;
    this.#flightsAt = machine.layout.flights;
    this.#least = initial.slice(0, this.#flightsAt);
    this.#greatest = initial.slice(0, this.#flightsAt);
    this.#plan();
    this.hasGrown = false;
  }

  /** Learns the values of a state. */
  learn(words: Int32Array): void {
    this.#machine.hasRareWrite = false;
    let isNew = false;
    for (let at = 0; at < this.#flightsAt; at++) {
      const value = words[at]!;
      if (value >= this.#least[at]! && value <= this.#greatest[at]!) continue;
      this.#least[at] = Math.min(value, this.#least[at]!);
      this.#greatest[at] = Math.max(value, this.#greatest[at]!);
      isNew = true;
    }
    if (isNew) this.#plan();
  }

  acceptGrowth(): void {
    this.hasGrown = false;
  }

  /** The most words that a packed state can take. */
  worstWords(words: Int32Array): number {
    return this.#lanes + 1 + words[this.#flightsAt]!;
  }

  /** Copies a state of which only packed words can differ. */
  copy(from: Int32Array, to: Int32Array): void {
    const fields = this.#words;
    for (let i = 0; i < fields.length; i++) to[fields[i]!] = from[fields[i]!]!;
    const flights = this.#flightsAt;
    const last = flights + from[flights]!;
    const stale = flights + to[flights]!;
    for (let i = flights; i <= last; i++) to[i] = from[i]!;
    for (let i = last + 1; i <= stale; i++) to[i] = 0;
  }

  /** Packs a state from `at` on, and returns where it ends. */
  write(words: Int32Array, packed: Int32Array, at: number): number {
    const [least, constant] = [this.#least, this.#constant];
    let misfit = this.#machine.hasRareWrite && this.#rareChanged(words) ? 1 : 0;
    for (let i = 0; i < constant.length; i++) {
      const word = constant[i]!;
      misfit |= words[word]! ^ least[word]!;
    }
    const fields = this.#words;
    const [offsets, bits, shifts, ends] = [this.#offsets, this.#bits, this.#shifts, this.#ends];
    let hash = 0;
    let lane = 0;
    for (let i = 0; i < fields.length; i++) {
      const value = words[fields[i]!]! - offsets[i]!;
      misfit |= value >>> bits[i]!;
      lane |= value << shifts[i]!;
      if (ends[i] === 0) continue;
      packed[at++] = lane;
      hash = mix(hash, lane);
      lane = 0;
    }
    const flights = this.#flightsAt;
    const last = flights + words[flights]!;
    for (let i = flights; i <= last; i += 2) {
      const pair = words[i]! | ((i < last ? words[i + 1]! : 0) << FLIGHT_BITS);
      packed[at++] = pair;
      hash = mix(hash, pair);
    }
    if (misfit !== 0) this.learn(words);
    hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
    this.hash = hash ^ (hash >>> 15);
    return at;
  }

  /** Unpacks a state into `words`, where constant words must have their values already. */
  read(packed: Int32Array, from: number, words: Int32Array): void {
    const fields = this.#words;
    const [offsets, bits, shifts, ends] = [this.#offsets, this.#bits, this.#shifts, this.#ends];
    let at = from;
    for (let i = 0; i < fields.length; i++) {
      const above = LANE_BITS - bits[i]!;
      words[fields[i]!] = ((packed[at]! << (above - shifts[i]!)) >>> above) + offsets[i]!;
      at += ends[i]!;
    }
    const flights = this.#flightsAt;
    const stale = words[flights]!;
    const count = packed[at]! & 0xffff;
    for (let i = 0; i <= count; i += 2) {
      const pair = packed[at++]!;
      words[flights + i] = pair & 0xffff;
      words[flights + i + 1] = pair >>> FLIGHT_BITS;
    }
    for (let i = count + 1; i <= stale; i++) words[flights + i] = 0;
  }

  /** Gives every changing word its bits, and the fields their lanes: wide ones first. */
  #plan(): void {
    const all = Int32Array.from({ length: this.#flightsAt }, (_, at) => at);
    const isConstant = (at: number): boolean => this.#least[at] === this.#greatest[at];
    this.#constant = all.filter((at) => isConstant(at) && !this.#isRare(at));
    this.#rare = all.filter((at) => isConstant(at) && this.#isRare(at));
    const fields = [...all].filter((at) => !isConstant(at)).map((word) => this.#field(word));
    const lanes = inLanes(fields);
    const packed = lanes.flat();
    this.#lanes = lanes.length;
    this.#words = Int32Array.from(packed, ({ field }) => field.word);
    this.#offsets = Int32Array.from(packed, ({ field }) => field.least);
    this.#bits = Int32Array.from(packed, ({ field }) => field.bits);
    this.#shifts = Int32Array.from(packed, ({ shift }) => shift);
    this.#ends = Uint8Array.from(packed, ({ isLast }) => (isLast ? 1 : 0));
    this.hasGrown = true;
  }

  #field(word: number): Field {
    const least = this.#least[word]!;
    const needed = LANE_BITS - Math.clz32(this.#greatest[word]! - least);
    const isStep = word < this.#machine.shape.roleCtas.length;
    // 31 bits at most: a shift by 32 would be none. Values of a state never need more.
    return { word, least, bits: Math.min(31, needed + (isStep ? STEP_HEADROOM : 0)) };
  }

  /** Words that only rare operations of the machine write; see {@link Machine.hasRareWrite}. */
  #isRare(at: number): boolean {
    const { barriers, cells } = this.#machine.layout;
    return at >= cells || (at >= barriers && (at - barriers) % BARRIER_WORDS === E);
  }

  #rareChanged(words: Int32Array): boolean {
    this.#machine.hasRareWrite = false;
    return this.#rare.some((word) => words[word] !== this.#least[word]);
  }
}

/** First fit, wide fields first: where each field lies in its lane. */
function inLanes(fields: Field[]): { field: Field; shift: number; isLast: boolean }[][] {
  const lanes: { used: number; fields: Field[] }[] = [];
  for (const field of fields.toSorted((a, b) => b.bits - a.bits)) {
    let lane = lanes.find(({ used }) => used + field.bits <= LANE_BITS);
    if (lane === undefined) lanes.push((lane = { used: 0, fields: [] }));
    lane.used += field.bits;
    lane.fields.push(field);
  }
  return lanes.map((lane) => {
    let shift = 0;
    return lane.fields.map((field, index) => {
      const placed = { field, shift, isLast: index === lane.fields.length - 1 };
      shift += field.bits;
      return placed;
    });
  });
}

/** One multiplication a lane, and a rotation so that high bits come down; avalanched at the end. */
function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return (mixed << 15) | (mixed >>> 17);
}
