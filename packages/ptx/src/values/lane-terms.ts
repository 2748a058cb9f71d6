// Terms of the lanes of a warp, built together: what terms.ts does for one, source by source.
import { LANES } from './register-file.ts';
import type { RegisterFile } from './register-file.ts';
import { HASH, isOutOfOrder, isVarying, mixedHigh, mixedLow, ofLane, varyingBit } from './terms.ts';
import type { Wide } from './wide.ts';

const one: Wide = { low: 0, high: 0 };
const other: Wide = { low: 0, high: 0 };

/** What a lane has in a register: its own, of a term that stands for another value in each. */
function readLane(
  { low, high, known, perLane }: RegisterFile,
  register: number,
  lane: number,
  out: Wide,
): number {
  const slot = register * LANES + lane * perLane[register]!;
  out.low = low[slot]!;
  out.high = high[slot]!;
  const isKnown = (known[register]! >>> lane) & 1;
  if (isKnown === 0 && isVarying(out.high)) ofLane(out, lane);
  return isKnown;
}

/** A term for each lane. */
export class LaneTerms {
  readonly #low = new Uint32Array(LANES);
  readonly #high = new Uint32Array(LANES);

  /** Starts all terms from one. */
  start({ low, high }: Wide): void {
    this.#low.fill(low);
    this.#high.fill(high);
  }

  #add(lane: number, low: number, high: number, isKnown: number): void {
    const one = mixedLow(this.#low[lane]!, low, isKnown);
    const two = mixedHigh(this.#high[lane]!, high, isKnown);
    const first = Math.imul(one + two, 0xc2b2_ae3d);
    const second = Math.imul(two ^ first, 0x27d4_eb2f);
    const varying = varyingBit(this.#high[lane]!, high, isKnown);
    this.#low[lane] = first ^ (second >>> 16);
    this.#high[lane] = ((second ^ (first >>> 17)) & HASH) | varying;
  }

  /** Adds a register to the terms of some lanes. */
  mix(registers: RegisterFile, register: number, mask: number): void {
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const isKnown = readLane(registers, register, lane, one);
      this.#add(lane, one.low, one.high, isKnown);
    }
  }

  /** Adds two registers that may change places. */
  mixBoth(registers: RegisterFile, first: number, second: number, mask: number): void {
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const isOneKnown = readLane(registers, first, lane, one);
      const isOtherKnown = readLane(registers, second, lane, other);
      const isSwapped = isOutOfOrder(one.low, one.high, other.low, other.high);
      if (!isSwapped) this.#add(lane, one.low, one.high, isOneKnown);
      this.#add(lane, other.low, other.high, isOtherKnown);
      if (isSwapped) this.#add(lane, one.low, one.high, isOneKnown);
    }
  }

  /** Adds a number that no register holds. */
  mixNumber(number: number, mask: number): void {
    for (let lane = 0; lane < LANES; lane++)
      if (((mask >>> lane) & 1) === 1) this.#add(lane, number, 0, 0);
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
