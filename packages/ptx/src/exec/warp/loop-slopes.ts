// How much registers of a counted loop grow in each round.
import type { ScalarType } from '../../isa/scalar-type.ts';
import { isPacked, isSigned, narrow } from './form.ts';
import { firstLane } from '../../values/lane-mask.ts';
import type { Wide } from '../../values/wide.ts';
import type { Computation, CountedLoop, Counter } from './counted-loop.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };
const HALF = 2 ** 32;

/** A register that has to hold a number which never wraps, as a number of a type. */
export interface Unwrapped {
  readonly register: number;
  readonly type: ScalarType;
  readonly slope: number;
}

/** The number that the bits of a register stand for; only where it is a safe integer. */
export function numberOf({ low, high }: Wide, type: ScalarType): number {
  if (type.bits <= 32) return narrow(low, type);
  return (isSigned(type) ? high | 0 : high) * HALF + low;
}

/** What registers of a loop gain in each round, in the lanes of a mask. */
export class LoopSlopes {
  readonly #warp: Warp;
  readonly #mask: number;
  /** Of those that the loop writes; NaN where it is not one number. */
  readonly #slopes = new Map<number, number>();
  readonly #counters = new Map<number, Counter>();
  /** Registers on which a slope rests, as whole numbers. */
  readonly unwrapped: Unwrapped[] = [];
  /** Whether the steps of all counters are known numbers that all blocks have. */
  readonly areCounted: boolean;

  constructor(warp: Warp, mask: number, { counters, computations }: CountedLoop) {
    this.#warp = warp;
    this.#mask = mask;
    let areCounted = true;
    for (const counter of counters) {
      const slope = this.#stepOf(counter);
      areCounted &&= Number.isSafeInteger(slope);
      this.#slopes.set(counter.register, slope);
      this.#counters.set(counter.register, counter);
    }
    this.areCounted = areCounted;
    for (const each of computations)
      for (const register of each.destinations)
        if (!this.#counters.has(register)) this.#slopes.set(register, this.#slopeIn(each));
  }

  /** How much a register gains; 0 of one that the loop does not write. */
  of(register: number): number {
    return this.#slopes.get(register) ?? 0;
  }

  /** How far what an instruction reads is behind what the register holds at the end of a round. */
  lagAt(register: number, at: number): number {
    const counter = this.#counters.get(register);
    return counter !== undefined && counter.at >= at ? this.of(register) : 0;
  }

  #stepOf({ terms, bits }: Counter): number {
    const type = { name: `s${bits}`, bits, class: 'signed' } as const;
    return terms.reduce((sum, [register, sign]) => sum + sign * this.#factor(register, type), 0);
  }

  /** The number that a register holds in all lanes, rounds and blocks; NaN where it is none. */
  #factor(register: number, type: ScalarType): number {
    const { registers } = this.#warp;
    if (this.of(register) !== 0 || registers.depends[register] === 1) return Number.NaN;
    if ((registers.known[register]! & this.#mask) !== this.#mask) return Number.NaN;
    if (!registers.isUniform(register, this.#mask)) return Number.NaN;
    registers.read(register, firstLane(this.#mask), out);
    const value = numberOf(out, type);
    return Number.isSafeInteger(value) ? value : Number.NaN;
  }

  #slopeIn({ effect, sources }: Computation): number {
    if (sources === null) return Number.NaN;
    if (sources.every((each) => this.of(each) === 0)) return 0;
    const { operation, types, modifiers } = effect;
    const type = types.at(-1);
    if (type === undefined || type.class === 'float' || type.bits < 32) return Number.NaN;
    if (isPacked(type)) return Number.NaN;
    if (modifiers.has('sat') || modifiers.has('hi')) return Number.NaN;
    const [a, b, c] = sources as [number, number, number];
    switch (operation) {
      case 'mov':
      case 'cvta':
        return this.of(a);
      case 'add':
        return this.of(a) + this.of(b);
      case 'sub':
        return this.of(a) - this.of(b);
      case 'mul':
        return this.#product(a, b, type, modifiers.has('wide'));
      case 'mad':
        return this.#product(a, b, type, modifiers.has('wide')) + this.of(c);
      case 'shl':
        return this.#shifted(a, b, type);
      case 'cvt':
        return this.#converted(a, types[0]!, type);
      default:
        return Number.NaN;
    }
  }

  #product(a: number, b: number, type: ScalarType, isWide: boolean): number {
    const [grows, factor] = this.of(b) === 0 ? [a, b] : [b, a];
    if (isWide) this.#unwrap(grows, type);
    return this.of(grows) === 0 ? 0 : this.of(grows) * this.#factor(factor, type);
  }

  #shifted(a: number, count: number, type: ScalarType): number {
    const bits = this.#factor(count, { name: 'u32', bits: 32, class: 'unsigned' });
    return bits < type.bits ? this.of(a) * 2 ** bits : Number.NaN;
  }

  #converted(a: number, to: ScalarType, from: ScalarType): number {
    if (to.class === 'float' || to.bits < 32) return Number.NaN;
    if (to.bits > from.bits) this.#unwrap(a, from);
    return this.of(a);
  }

  #unwrap(register: number, type: ScalarType): void {
    const slope = this.of(register);
    if (slope !== 0) this.unwrapped.push({ register, type, slope });
  }
}
