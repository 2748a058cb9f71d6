// Ownership without checks, for programs that `check` has certified: it stores nothing.
import type { Op } from '../op/index.ts';
import type { StageHandle } from './handle.ts';
import { Ownership } from './ownership.ts';

/** Finds no misuse of handles, except for counters; and remembers no handle. */
export class UncheckedOwnership extends Ownership {
  readonly #movedOut = new Set<number>();

  override note(): Op | null {
    return null;
  }

  override trusts(): boolean {
    return true;
  }

  override move(from: StageHandle): Op | null {
    if (!from.linear) this.#movedOut.add(from.id);
    return null;
  }

  /** Asked once, as the scope that the handle was moved out of ends. */
  override isMoved(handle: StageHandle): boolean {
    return this.#movedOut.size > 0 && this.#movedOut.delete(handle.id);
  }
}
