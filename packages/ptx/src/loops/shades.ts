// The shades of a warp's registers, lane by lane, beside its registers.
import { LANES } from '../values/register-file.ts';
import type { RegisterFile } from '../values/register-file.ts';
import type { Wide } from '../values/wide.ts';
import { ANY } from './reach.ts';
import type { Shade } from './reach.ts';
import type { Input } from './transfers.ts';

/** One shade for all lanes, or one for each. */
type Entry = Exclude<Shade, null> | readonly Shade[];

const value: Wide = { low: 0, high: 0 };

function isEach(entry: Entry): entry is readonly Shade[] {
  return Array.isArray(entry);
}

/** Registers that are not the same in all rounds. */
export class Shades {
  #entries = new Map<number, Entry>();
  /** Whether the carry flag may be another in other rounds. */
  hasCarry = false;

  /** Whether nothing is shaded. */
  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** The shade of a register in a lane. */
  of(register: number, lane: number): Shade {
    const entry = this.#entries.get(register);
    if (entry === undefined) return null;
    return isEach(entry) ? entry[lane]! : entry;
  }

  /** Whether a register is shaded in a lane of a mask. */
  has(register: number, mask: number): boolean {
    const entry = this.#entries.get(register);
    if (entry === undefined) return false;
    if (!isEach(entry)) return mask !== 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (entry[31 - Math.clz32(rest & -rest)] !== null) return true;
    return false;
  }

  /** Whether the lanes of a mask have one shade. */
  isUniform(register: number, mask: number): boolean {
    const entry = this.#entries.get(register);
    if (entry === undefined || !isEach(entry)) return true;
    const first = entry[31 - Math.clz32(mask & -mask)]!;
    for (let rest = mask; rest !== 0; rest &= rest - 1)
      if (entry[31 - Math.clz32(rest & -rest)] !== first) return false;
    return true;
  }

  /** Gives the lanes of a mask one shade; `all` are those that exist. */
  set(register: number, shade: Shade, mask: number, all: number): void {
    const entry = this.#entries.get(register);
    if (mask === all) {
      if (shade === null) this.#entries.delete(register);
      else this.#entries.set(register, shade);
      return;
    }
    if (entry === undefined && shade === null) return;
    const each: Shade[] =
      entry === undefined
        ? Array.from({ length: LANES }, (): Shade => null)
        : isEach(entry)
          ? entry.slice()
          : Array.from({ length: LANES }, () => entry);
    for (let rest = mask; rest !== 0; rest &= rest - 1) each[31 - Math.clz32(rest & -rest)] = shade;
    this.#setEach(register, each, all);
  }

  /** Gives each lane of a mask its own shade. */
  setEach(register: number, shades: readonly Shade[], mask: number, all: number): void {
    const each = Array.from({ length: LANES }, (_, lane) => {
      return ((mask >>> lane) & 1) === 1 ? (shades[lane] ?? null) : this.of(register, lane);
    });
    this.#setEach(register, each, all);
  }

  #setEach(register: number, each: readonly Shade[], all: number): void {
    const first = each[31 - Math.clz32(all & -all)]!;
    let isOne = true;
    for (let rest = all; rest !== 0; rest &= rest - 1)
      isOne &&= each[31 - Math.clz32(rest & -rest)] === first;
    if (!isOne) this.#entries.set(register, each);
    else if (first === null) this.#entries.delete(register);
    else this.#entries.set(register, first);
  }

  /** What an instruction reads of a register in a lane: a value that is unknown has no slope. */
  input(registers: RegisterFile, register: number, lane: number): Input {
    const isKnown = registers.read(register, lane, value);
    const shade = this.of(register, lane);
    const { low, high } = value;
    return { low, high, isKnown, shade: isKnown || shade === ANY ? shade : null };
  }

  /** A copy that changes by itself. */
  copy(): Shades {
    const copy = new Shades();
    copy.#entries = new Map(this.#entries);
    copy.hasCarry = this.hasCarry;
    return copy;
  }
}
