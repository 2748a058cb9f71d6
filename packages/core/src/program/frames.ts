// Frames of an unfolding: a role's body, or one round of a loop, known by where and with what.
import type { StepId } from './steps.ts';
import type { EncodedValue } from './value.ts';

/** The entry of a frame whose first step is not known. */
export const UNRESOLVED = -1;

export interface Frame {
  readonly role: number;
  /** The loop's node, or −1 for the body of the role. */
  readonly loop: StepId;
  readonly state: EncodedValue | null;
  /** Handles of enclosing frames that earlier rounds have released, operations they performed. */
  readonly dead: readonly number[];
  /** Handles that enclosing frames owned as the loop began, operations they had to perform. */
  readonly outer: readonly number[];
  /** The first step, negative while it is not known. */
  entry: StepId;
}

/** Every frame once. */
export class Frames {
  readonly #frames: Frame[] = [];
  readonly #ids = new Map<string, number>();

  get(id: number): Frame {
    return this.#frames[id]!;
  }

  root(role: number): number {
    return this.#intern(`role ${role}`, {
      role,
      loop: -1,
      state: null,
      dead: [],
      outer: [],
      entry: UNRESOLVED,
    }).id;
  }

  /** P06: equal rounds of one loop are one frame. */
  round(
    role: number,
    loop: StepId,
    state: EncodedValue,
    dead: readonly number[],
    outer: readonly number[],
  ): { id: number; isNew: boolean } {
    const key = `${loop} ${dead.join()} ${state.key}`;
    return this.#intern(key, { role, loop, state, dead, outer, entry: UNRESOLVED });
  }

  #intern(key: string, frame: Frame): { id: number; isNew: boolean } {
    const known = this.#ids.get(key);
    if (known !== undefined) return { id: known, isNew: false };
    const id = this.#frames.push(frame) - 1;
    this.#ids.set(key, id);
    return { id, isNew: true };
  }
}
