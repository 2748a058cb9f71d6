// Terms of the lanes of a warp, built together: what terms.ts does for one, source by source.
import { LANES } from './register-file.ts';
import type { RegisterFile } from './register-file.ts';
import { HASH, isOutOfOrder, mixedHigh, mixedLow, ofLane } from './terms.ts';
import type { Wide } from './wide.ts';

const own: Wide = { low: 0, high: 0 };

/** What lanes have in a register: their own, of a term that stands for another value in each. */
class LaneValues {
  readonly low = new Int32Array(LANES);
  readonly high = new Int32Array(LANES);
  known = 0;

  take({ low, high, known, perLane }: RegisterFile, register: number): void {
    const base = register * LANES;
    const stride = perLane[register]!;
    this.known = known[register]!;
    for (let lane = 0; lane < LANES; lane++) {
      this.low[lane] = low[base + lane * stride]!;
      this.high[lane] = high[base + lane * stride]!;
    }
    for (let lane = 0; lane < LANES; lane++)
      if (this.high[lane]! < 0 && ((this.known >>> lane) & 1) === 0) this.#takeOwn(lane);
  }

  #takeOwn(lane: number): void {
    own.low = this.low[lane]! >>> 0;
    own.high = this.high[lane]! >>> 0;
    ofLane(own, lane);
    this.low[lane] = own.low;
    this.high[lane] = own.high;
  }

  /** Brings the values of each lane and those of another register in order. */
  sortWith(other: LaneValues): void {
    let swapped = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const [low, high] = [this.low[lane]!, this.high[lane]!];
      const [otherLow, otherHigh] = [other.low[lane]!, other.high[lane]!];
      if (!isOutOfOrder(low >>> 0, high >>> 0, otherLow >>> 0, otherHigh >>> 0)) continue;
      this.low[lane] = otherLow;
      this.high[lane] = otherHigh;
      other.low[lane] = low;
      other.high[lane] = high;
      swapped |= 1 << lane;
    }
    const changed = (this.known ^ other.known) & swapped;
    this.known ^= changed;
    other.known ^= changed;
  }
}

const first = new LaneValues();
const second = new LaneValues();

/** A term for each lane. */
export class LaneTerms {
  readonly #low = new Int32Array(LANES);
  readonly #high = new Int32Array(LANES);

  /** Starts all terms from one. */
  start({ low, high }: Wide): void {
    this.#low.fill(low);
    this.#high.fill(high);
  }

  /** Adds a value to each of the terms of some lanes, as `mix` of terms.ts does. */
  #add({ low, high, known }: LaneValues, mask: number): void {
    const [terms, highTerms] = [this.#low, this.#high];
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const isKnown = (known >>> lane) & 1;
      const before = highTerms[lane]!;
      const one = mixedLow(terms[lane]!, low[lane]!, isKnown);
      const two = mixedHigh(before, high[lane]!, isKnown);
      const left = Math.imul(one + two, 0xc2b2_ae3d);
      const right = Math.imul(two ^ left, 0x27d4_eb2f);
      terms[lane] = left ^ (right >>> 16);
      // A lane's own value does not differ by lane.
      highTerms[lane] = ((right ^ (left >>> 17)) & HASH) | (before & ~HASH);
    }
  }

  /** Adds a register to the terms of some lanes. */
  mix(registers: RegisterFile, register: number, mask: number): void {
    first.take(registers, register);
    this.#add(first, mask);
  }

  /** Adds two registers that may change places. */
  mixBoth(registers: RegisterFile, one: number, other: number, mask: number): void {
    first.take(registers, one);
    second.take(registers, other);
    first.sortWith(second);
    this.#add(first, mask);
    this.#add(second, mask);
  }

  /** Adds a number that no register holds. */
  mixNumber(number: number, mask: number): void {
    first.low.fill(number);
    first.high.fill(0);
    first.known = 0;
    this.#add(first, mask);
  }

  /** Writes the terms to the slots of a register. */
  store({ low, high }: RegisterFile, base: number, mask: number): void {
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      low[base + lane] = this.#low[lane]!;
      high[base + lane] = this.#high[lane]!;
    }
  }
}
