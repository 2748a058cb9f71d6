// The shades of a warp's states that are run ahead, to see whether a try is repeated.
import { registersIn } from '../flow/liveness.ts';
import type { WarpState } from '../exec/warp/peek.ts';
import type { Changes } from '../exec/warp/polling.ts';
import { lanesOf } from '../values/lane-mask.ts';
import type { Warp } from '../exec/warp/warp.ts';
import { NotProved } from './look.ts';
import { ANY } from './reach.ts';
import type { Context } from './follower.ts';

const NOT_ALIKE = 'what is tried again may not be the same in all rounds';

/** A copy that changes by itself. */
export function copyOf({ shades, quiet }: Context): Context {
  return { shades: shades.copy(), quiet };
}

/** What one warp's registers are in other rounds, in states that are run ahead. */
export class Probes {
  readonly #warp: Warp;
  readonly #main: () => Context;
  readonly #contexts = new WeakMap<WarpState, Context>();

  /** `main` is the context of the warp itself. */
  constructor(warp: Warp, main: () => Context) {
    this.#warp = warp;
    this.#main = main;
  }

  /** The context of a state; that of the warp if it was never copied. */
  of(state: WarpState): Context {
    let known = this.#contexts.get(state);
    if (known === undefined) this.#contexts.set(state, (known = copyOf(this.#main())));
    return known;
  }

  /** A state begins as another one is, or as the warp. */
  copy(from: WarpState | null, to: WarpState): void {
    this.#contexts.set(to, copyOf(from === null ? this.#main() : this.of(from)));
  }

  /** Nothing is known of what changes from try to try. */
  forget(state: WarpState, { registers }: Changes): void {
    const { shades } = this.of(state);
    for (const [register, lanes] of registers) shades.set(register, ANY, lanes, this.#warp.lanes);
  }

  /** Two states that are equal in this round have to be equal in all of them. */
  equate(one: WarpState, other: WarpState, { registers }: Changes): void {
    const [ofOne, ofOther] = [this.of(one).shades, this.of(other).shades];
    for (const [counter, lanes] of one.stack.groups())
      for (const register of registersIn(this.#warp.program.liveBefore(counter)))
        for (const lane of lanesOf(lanes & ~(registers.get(register) ?? 0)))
          if (ofOne.of(register, lane) !== ofOther.of(register, lane))
            throw new NotProved(counter, NOT_ALIKE);
  }
}
