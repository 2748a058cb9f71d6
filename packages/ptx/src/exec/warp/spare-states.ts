// Copies of a warp's state for one look ahead after another, which share their register files.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { WarpState } from './peek.ts';
import type { Warp } from './warp.ts';

/** The most files of a warp that are there for later. */
const MAX_FILES = 16;

/** The files of warps, for look aheads that are not made within one another. */
export class SparePool {
  readonly #files = new WeakMap<Warp, RegisterFile[]>();

  /** The files of a warp. */
  of(warp: Warp): RegisterFile[] {
    let files = this.#files.get(warp);
    if (files === undefined) this.#files.set(warp, (files = []));
    return files;
  }
}

/** The states of one look ahead; those of an earlier one of the warp are over. */
export class SpareStates {
  readonly warp: Warp;
  readonly #files: RegisterFile[];
  #used = 0;

  constructor(warp: Warp, pool: SparePool) {
    this.warp = warp;
    this.#files = pool.of(warp);
  }

  /** A copy of a state, or of that of the warp, with the registers that are live in it. */
  copyOf(state: WarpState | null): WarpState {
    const { warp } = this;
    const { registers, local, stack, clock } = state ?? warp;
    const file = this.#next();
    // Constants and special registers never change.
    for (const counter of stack.counters())
      for (const register of registersIn(warp.program.liveBefore(counter)))
        file.copyFrom(register, registers);
    return { registers: file, local: local.copy(), stack: stack.copy(), clock };
  }

  /** The result of `look`, whose own states are over then. */
  within<T>(look: () => T): T {
    const used = this.#used;
    const result = look();
    this.#used = used;
    return result;
  }

  #next(): RegisterFile {
    if (this.#used === MAX_FILES) return this.warp.registers.copy();
    return (this.#files[this.#used++] ??= this.warp.registers.copy());
  }
}
