// States of a warp that are executed beside it, to see what it would do.
import type { LookAhead, WarpState } from './peek.ts';
import type { Warp } from './warp.ts';

/** A look ahead of a warp. */
export class Ahead {
  readonly #warp: Warp;
  #look: LookAhead | null = null;
  #probe: WarpState | null = null;

  constructor(warp: Warp) {
    this.#warp = warp;
  }

  /** What is looked for; `null`: what is executed happens. */
  get look(): LookAhead | null {
    return this.#look;
  }

  /** The state that is run ahead instead of that of the warp, to see whether a try is repeated. */
  get probe(): WarpState | null {
    return this.#probe;
  }

  /** Executes the state of the warp, to find something. */
  follow(look: LookAhead, budget: number): LookAhead {
    this.#look = look;
    this.#warp.run(budget);
    this.#look = null;
    return look;
  }

  /** What is executed is about a state, which is not that of the warp. */
  probing<T>(state: WarpState, run: () => T): T {
    this.#probe = state;
    const result = run();
    this.#probe = null;
    return result;
  }

  /** Executes with another state, which changes; the warp has its own one again after that. */
  elsewhere(state: WarpState, run: () => void): void {
    const warp = this.#warp;
    const { registers, local, stack, progress } = warp;
    const { clock, executed } = progress;
    warp.registers = state.registers;
    warp.local = state.local;
    warp.stack = state.stack;
    progress.clock = state.clock;
    run();
    state.clock = progress.clock;
    warp.registers = registers;
    warp.local = local;
    warp.stack = stack;
    progress.clock = clock;
    progress.executed = executed;
  }
}
