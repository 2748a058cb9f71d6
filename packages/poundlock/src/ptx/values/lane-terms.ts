// Terms of the lanes of a warp, built together: what terms.ts does for one, source by source.
import { LANES } from './register-file.ts';
import type { RegisterFile } from './register-file.ts';
import { HASH, isOutOfOrder, mixedHigh, mixedLow, varyingBit } from './terms.ts';
import type { Wide } from './wide.ts';

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
  mix({ low, high, known, perLane }: RegisterFile, register: number, mask: number): void {
    const isKnown = known[register]!;
    const base = register * LANES;
    const step = perLane[register]!;
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const slot = base + lane * step;
      this.#add(lane, low[slot]!, high[slot]!, (isKnown >>> lane) & 1);
    }
  }

  /** Adds two registers that may change places. */
  mixBoth(registers: RegisterFile, one: number, other: number, mask: number): void {
    const { low, high, known, perLane } = registers;
    for (let lane = 0; lane < LANES; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const a = one * LANES + lane * perLane[one]!;
      const b = other * LANES + lane * perLane[other]!;
      const knownA = (known[one]! >>> lane) & 1;
      const knownB = (known[other]! >>> lane) & 1;
      if (isOutOfOrder(low[a]!, high[a]!, low[b]!, high[b]!)) {
        this.#add(lane, low[b]!, high[b]!, knownB);
        this.#add(lane, low[a]!, high[a]!, knownA);
      } else {
        this.#add(lane, low[a]!, high[a]!, knownA);
        this.#add(lane, low[b]!, high[b]!, knownB);
      }
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
