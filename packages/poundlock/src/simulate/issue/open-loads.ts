// The loads of a warp whose values nothing has used yet: registers bound how many there are.
import type { IssuedInstruction } from '@poundlock/core/internal/program';

/** A load that was issued, or that waits for registers. */
export interface OpenLoad {
  readonly instruction: IssuedInstruction;
  /** Its step in the warp, and from when on its address is known. */
  readonly step: number;
  readonly from: number;
  /** The registers that hold its value. */
  readonly registers: number[];
  /** When its value was used; infinite where it was not yet. */
  usedAt: number;
}

/** ptxas moves loads up while there are registers for their values, and others to their uses. */
export class OpenLoads {
  readonly #ofRegister: (OpenLoad | null)[];
  /** Those that were issued and hold registers, and those that wait, in their order. */
  readonly #issued: OpenLoad[] = [];
  readonly #waiting: OpenLoad[] = [];
  #words = 0;

  constructor(registers: number) {
    this.#ofRegister = Array.from({ length: registers }, () => null);
  }

  clear(): void {
    this.#ofRegister.fill(null);
    this.#issued.length = this.#waiting.length = 0;
    this.#words = 0;
  }

  /** A load comes next; `null` where it waits, else when there are registers for it. */
  add(instruction: IssuedInstruction, step: number, from: number): number | null {
    const registers = [...instruction.writes];
    const load: OpenLoad = { instruction, step, from, registers, usedAt: Infinity };
    this.#replace(registers, load, from);
    const at = this.#waiting.length > 0 ? Infinity : this.#freeAt(load);
    if (at < Infinity) this.#take(load);
    else this.#waiting.push(load);
    return at < Infinity ? at : null;
  }

  /** An instruction uses values at a time. */
  use(reads: readonly number[], time: number): void {
    for (const register of reads) {
      const load = this.#ofRegister[register];
      if (load && load.usedAt === Infinity) load.usedAt = time;
    }
  }

  /** Whether some of the registers hold the value of a load that nothing has used. */
  holds(registers: readonly number[]): boolean {
    return registers.some((register) => this.#ofRegister[register]?.usedAt === Infinity);
  }

  /** A value has another register, too. */
  copy(reads: readonly number[], writes: readonly number[], time: number): void {
    let from: OpenLoad | null = null;
    for (const register of reads) from ??= this.#ofRegister[register]!;
    this.#replace(writes, from, time);
    from?.registers.push(...writes);
  }

  /** Registers get other values. */
  write(registers: readonly number[], time: number): void {
    this.#replace(registers, null, time);
  }

  /** The next load that waits, where there are registers for it at a time. */
  next(time: number): OpenLoad | null {
    const [load] = this.#waiting;
    if (load === undefined || this.#freeAt(load) > time) return null;
    return this.#release(load);
  }

  /** The next load that waits, where an instruction needs its value or that of one behind it. */
  needed(reads: readonly number[]): OpenLoad | null {
    const [load] = this.#waiting;
    if (load === undefined) return null;
    const isNeeded = reads.some((register) => {
      const of = this.#ofRegister[register];
      return of && this.#waiting.includes(of);
    });
    return isNeeded ? this.#release(load) : null;
  }

  #release(load: OpenLoad): OpenLoad {
    this.#waiting.shift();
    this.#take(load);
    return load;
  }

  #take(load: OpenLoad): void {
    this.#issued.push(load);
    this.#words += load.instruction.words;
  }

  /** From when on there are registers for a load: infinite while values hold them. */
  #freeAt({ instruction, from }: OpenLoad): number {
    let at = from;
    while (this.#words + instruction.words > instruction.room) {
      const [oldest] = this.#issued;
      if (oldest === undefined) break;
      if (oldest.usedAt === Infinity) return Infinity;
      if (oldest.usedAt > at) at = oldest.usedAt;
      this.#words -= oldest.instruction.words;
      this.#issued.shift();
    }
    return at;
  }

  #replace(registers: readonly number[], by: OpenLoad | null, time: number): void {
    for (const register of registers) {
      const before = this.#ofRegister[register];
      if (before && before !== by && before.usedAt === Infinity) before.usedAt = time;
      this.#ofRegister[register] = by;
    }
  }
}
