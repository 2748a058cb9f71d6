// The registers of one warp: 32 lanes each, known or not, stored once where all lanes are equal.
import { isSame, OPAQUE } from './origin.ts';
import type { Origin } from './origin.ts';
import { isVarying, ofLane } from './terms.ts';
import type { Wide } from './wide.ts';

/** Lanes of a warp. */
export const LANES = 32;
/** The mask with all lanes. */
export const ALL_LANES = -1;

/**
 * Registers as typed arrays. A register that is the same in every lane occupies the slot of lane 0
 * only. A lane whose value is not known holds a term (see terms.ts) in both halves.
 */
export class RegisterFile {
  /** The low 32 bits: `register * 32 + lane`. */
  readonly low: Uint32Array;
  /** The high 32 bits of 64-bit registers. */
  readonly high: Uint32Array;
  /** A bit for each lane whose value is known; all or none for a uniform register. */
  readonly known: Int32Array;
  /** 1 where lanes differ. */
  readonly perLane: Uint8Array;
  /** Saves registers before they change while it is not `null`. */
  undo: UndoLog | null = null;
  /** 1 where a register is computed from where its block lies. */
  readonly depends: Uint8Array;
  /** How it is; `null` where it is not. */
  readonly origins: (Origin | null)[];
  /** A mask of the lanes that exist. */
  readonly existing: number;
  /**
   * 1 while an instruction is executed that other blocks may execute in other lanes: what writes
   * a register says how, or nothing is known of it in other blocks.
   */
  isPicked: 0 | 1 = 0;

  /** Of so many registers that are not known, or of the values of a copy, which it takes. */
  constructor(values: number | RegisterSnapshot, existing = ALL_LANES) {
    this.existing = existing;
    const isNew = typeof values === 'number';
    this.low = isNew ? new Uint32Array(values * LANES) : values.low;
    this.high = isNew ? new Uint32Array(values * LANES) : values.high;
    this.known = isNew ? new Int32Array(values) : values.known;
    this.perLane = isNew ? new Uint8Array(values) : values.perLane;
    this.depends = isNew ? new Uint8Array(values) : values.depends;
    this.origins = isNew ? Array.from({ length: values }, () => null) : values.origins;
  }

  /** Says how a register is computed from where its block lies; `null`: it is not. */
  setOrigin(register: number, origin: Origin | null): void {
    this.depends[register] = origin === null ? 0 : 1;
    this.origins[register] = origin;
  }

  /** A register is written in all lanes or in some, and nothing is said of other blocks. */
  #lose(register: number, isWhole: boolean): void {
    const origin = this.origins[register]!;
    const isLost = isWhole || origin === null || origin.axes === 0;
    this.setOrigin(register, isLost && this.isPicked === 0 ? null : OPAQUE);
  }

  /** The slot of a lane. */
  slot(register: number, lane: number): number {
    return register * LANES + (this.perLane[register] === 0 ? 0 : lane);
  }

  isKnown(register: number, lane: number): boolean {
    return ((this.known[register]! >>> lane) & 1) === 1;
  }

  /** Writes one value in the lanes of `mask`, of which `all` exist. */
  setUniform(register: number, value: Wide, isKnown: boolean, mask: number, all: number): void {
    this.undo?.save(register);
    if ((this.depends[register]! | this.isPicked) !== 0) this.#lose(register, mask === all);
    if (mask === all) {
      this.perLane[register] = 0;
      this.known[register] = isKnown ? ALL_LANES : 0;
      this.low[register * LANES] = value.low;
      this.high[register * LANES] = value.high;
      return;
    }
    const base = this.openLanes(register, mask, all);
    const { low, high } = value;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      this.low[base + lane] = low;
      this.high[base + lane] = high;
    }
    if (isKnown) this.known[register]! |= mask;
    else this.known[register]! &= ~mask;
  }

  /**
   * Prepares a register for writes in the lanes of `mask`: the other lanes keep their values. The
   * caller writes `low`, `high` and `known`.
   *
   * @returns The slot of lane 0.
   */
  openLanes(register: number, mask: number, all: number): number {
    this.undo?.save(register);
    if ((this.depends[register]! | this.isPicked) !== 0) this.#lose(register, mask === all);
    const base = register * LANES;
    if (this.perLane[register] === 0) {
      this.perLane[register] = 1;
      if (mask !== all) {
        this.low.fill(this.low[base]!, base + 1, base + LANES);
        this.high.fill(this.high[base]!, base + 1, base + LANES);
      }
    }
    return base;
  }

  /** Whether a register is the same in another file, in the lanes of a mask. */
  isEqualIn(register: number, other: RegisterFile, mask: number): boolean {
    if (((this.known[register]! ^ other.known[register]!) & mask) !== 0) return false;
    if ((this.depends[register]! | other.depends[register]!) !== 0)
      if (!isSame(this.origins[register]!, other.origins[register]!)) return false;
    if ((this.perLane[register]! | other.perLane[register]!) === 0) {
      const at = register * LANES;
      return mask === 0 || (this.low[at] === other.low[at] && this.high[at] === other.high[at]);
    }
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const here = this.slot(register, lane);
      const there = other.slot(register, lane);
      if (this.low[here] !== other.low[there] || this.high[here] !== other.high[there])
        return false;
    }
    return true;
  }

  /** Copies a register from another file. */
  copyFrom(register: number, other: RegisterSnapshot): void {
    this.known[register] = other.known[register]!;
    this.perLane[register] = other.perLane[register]!;
    this.setOrigin(register, other.origins[register]!);
    const from = register * LANES;
    // Of a uniform register only the first slot counts.
    const end = from + (this.perLane[register] === 0 ? 1 : LANES);
    for (let slot = from; slot < end; slot++) {
      this.low[slot] = other.low[slot]!;
      this.high[slot] = other.high[slot]!;
    }
  }

  /** A copy of all values, to return to later. */
  snapshot(): RegisterSnapshot {
    return {
      low: this.low.slice(),
      high: this.high.slice(),
      known: this.known.slice(),
      perLane: this.perLane.slice(),
      depends: this.depends.slice(),
      origins: [...this.origins],
    };
  }

  /** Another file with the same values. */
  copy(): RegisterFile {
    return new RegisterFile(this.snapshot(), this.existing);
  }

  /** Puts the values of a copy back. */
  restore({ low, high, known, perLane, depends, origins }: RegisterSnapshot): void {
    this.low.set(low);
    this.high.set(high);
    this.known.set(known);
    this.perLane.set(perLane);
    this.depends.set(depends);
    for (const [register, origin] of origins.entries()) this.origins[register] = origin;
  }

  /** Reads a lane into `out`, which holds a term of this lane alone if it is not known. */
  read(register: number, lane: number, out: Wide): boolean {
    const slot = this.slot(register, lane);
    out.low = this.low[slot]!;
    out.high = this.high[slot]!;
    const isKnown = this.isKnown(register, lane);
    if (!isKnown && isVarying(out.high)) ofLane(out, lane);
    return isKnown;
  }

  /** Whether the lanes of a mask are known to hold one value, or one term. */
  isUniform(register: number, mask: number): boolean {
    const known = this.known[register]! & mask;
    if (known !== 0 && known !== mask) return false;
    const first = this.slot(register, 31 - Math.clz32(mask & -mask));
    if (known === 0 && isVarying(this.high[first]!)) return (mask & (mask - 1)) === 0;
    if (this.perLane[register] === 0) return true;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const slot = this.slot(register, 31 - Math.clz32(rest & -rest));
      if (this.low[slot] !== this.low[first] || this.high[slot] !== this.high[first]) return false;
    }
    return true;
  }

  /** Whether unknown lanes of a register hold one term, which is then in `out`. */
  isOneTerm(register: number, mask: number, out: Wide): boolean {
    if (!this.isUniform(register, mask)) return false;
    this.read(register, 31 - Math.clz32(mask & -mask), out);
    return true;
  }
}

/** Values of all registers at one time. */
export type RegisterSnapshot = Pick<
  RegisterFile,
  'low' | 'high' | 'known' | 'perLane' | 'depends' | 'origins'
>;

/** Values of registers as they were when the log began. */
export class UndoLog {
  readonly #file: RegisterFile;
  readonly #isSaved: Uint8Array;
  readonly #registers: number[] = [];
  #low = new Uint32Array(8 * LANES);
  #high = new Uint32Array(8 * LANES);
  readonly #known: number[] = [];
  readonly #perLane: number[] = [];
  readonly #origins: (Origin | null)[] = [];

  constructor(file: RegisterFile) {
    this.#file = file;
    this.#isSaved = new Uint8Array(file.known.length);
  }

  /** Saves a register, once. */
  save(register: number): void {
    if (this.#isSaved[register] === 1) return;
    this.#isSaved[register] = 1;
    const file = this.#file;
    const at = this.#registers.length * LANES;
    if (at === this.#low.length) {
      this.#low = grown(this.#low);
      this.#high = grown(this.#high);
    }
    const from = register * LANES;
    // Of a uniform register only the first slot counts.
    const used = file.perLane[register] === 0 ? 1 : LANES;
    for (let lane = 0; lane < used; lane++) {
      this.#low[at + lane] = file.low[from + lane]!;
      this.#high[at + lane] = file.high[from + lane]!;
    }
    this.#known.push(file.known[register]!);
    this.#perLane.push(file.perLane[register]!);
    this.#origins.push(file.origins[register]!);
    this.#registers.push(register);
  }

  /** Whether one of some registers has changed since, in the lanes of a mask. */
  hasChanges(among: Uint32Array, mask: number): boolean {
    return this.#registers.some((register, index) => {
      if (((among[register >> 5]! >>> (register & 31)) & 1) === 0) return false;
      return this.#isOther(register, index, mask);
    });
  }

  #isOther(register: number, index: number, mask: number): boolean {
    const file = this.#file;
    if (((file.known[register]! ^ this.#known[index]!) & mask) !== 0) return true;
    const wasPerLane = this.#perLane[index] === 1;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const slot = file.slot(register, lane);
      const saved = index * LANES + (wasPerLane ? lane : 0);
      if (file.low[slot] !== this.#low[saved] || file.high[slot] !== this.#high[saved]) return true;
    }
    return false;
  }

  /** Puts all saved values back, and forgets them. */
  restore(): void {
    const file = this.#file;
    for (let index = 0; index < this.#registers.length; index++) {
      const register = this.#registers[index]!;
      const at = index * LANES;
      const to = register * LANES;
      const used = this.#perLane[index] === 0 ? 1 : LANES;
      for (let lane = 0; lane < used; lane++) {
        file.low[to + lane] = this.#low[at + lane]!;
        file.high[to + lane] = this.#high[at + lane]!;
      }
      file.known[register] = this.#known[index]!;
      file.perLane[register] = this.#perLane[index]!;
      file.setOrigin(register, this.#origins[index]!);
      this.#isSaved[register] = 0;
    }
    this.#registers.length = 0;
    this.#known.length = 0;
    this.#perLane.length = 0;
    this.#origins.length = 0;
  }
}

function grown(old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(old.length * 2);
  next.set(old);
  return next;
}
