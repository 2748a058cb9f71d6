// A warp with a value that other orders of the blocks might have changed: it goes on with the value
// of this run, and a ghost of it with each other one. Where all of them come to the same place,
// what differs is unknown data from there on.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import type { WarpState } from './peek.ts';
import { forget, OF_ALL, OF_LANES } from './varying.ts';
import type { Warp } from './warp.ts';

/** The most ghosts of a warp. */
export const MAX_GHOSTS = 64;

/** The state of a warp behind the instruction that it executes, for itself. */
export function ghostOf(warp: Warp, write: (registers: RegisterFile) => void): WarpState {
  const stack = warp.stack.copy();
  stack.counter++;
  const registers = warp.registers.copy();
  write(registers);
  return { registers, local: warp.local.copy(), stack, clock: warp.progress.clock };
}

/** A copy that changes by itself. */
export function copyOf({ registers, local, stack, clock }: WarpState): WarpState {
  return { registers: registers.copy(), local: local.copy(), stack: stack.copy(), clock };
}

/** The ghosts of a warp. */
export class Ghosts {
  #all: WarpState[] = [];

  get all(): readonly WarpState[] {
    return this.#all;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  set(ghosts: readonly WarpState[]): void {
    this.#all = [...ghosts];
  }

  /** Brings the ghosts to where the warp is; what they differ in is forgotten. */
  merge(warp: Warp): void {
    if (this.#all.length === 0) return;
    const ghosts = this.#all;
    this.#all = [];
    for (const ghost of ghosts) {
      warp.shadow.run(ghost);
      if (!ghost.stack.equals(warp.stack)) warp.machine.decided(warp);
    }
    const live = new Set<number>();
    for (const counter of warp.stack.counters())
      for (const register of registersIn(warp.program.liveBefore(counter))) live.add(register);
    const seed = warp.stack.depth === 0 ? 0 : warp.stack.counter;
    for (const { registers, local } of ghosts) {
      for (const register of live) {
        if (registers.isEqualIn(register, warp.registers, warp.lanes)) continue;
        const files = [warp.registers, registers];
        const isOne = files.every((file) => file.isUniform(register, warp.lanes));
        forget(warp, [register], warp.lanes, seed, isOne ? OF_ALL : OF_LANES);
      }
      if (!local.equals(warp.local)) warp.local.forget(warp.machine.fresh());
    }
  }
}
