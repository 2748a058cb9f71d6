// Copies of a warp's state for one look ahead after another, which share their register files.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { WarpState } from './peek.ts';
import type { Warp } from './warp.ts';

/** The most files of a warp that are there for later. */
const MAX_FILES = 16;

const pools = new WeakMap<Warp, RegisterFile[]>();

/** The states of one look ahead; those of an earlier one of the warp are over. */
export class SpareStates {
  readonly warp: Warp;
  readonly #files: RegisterFile[];
  #used = 0;

  constructor(warp: Warp) {
    this.warp = warp;
    let files = pools.get(warp);
    if (files === undefined) pools.set(warp, (files = []));
    this.#files = files;
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
    const copy = { registers: file, local: local.copy(), stack: stack.copy(), clock };
    warp.machine.observer?.copies?.(warp, state, copy);
    return copy;
  }

  #next(): RegisterFile {
    if (this.#used === MAX_FILES) return this.warp.registers.copy();
    return (this.#files[this.#used++] ??= this.warp.registers.copy());
  }
}
