// What lanes of a warp that cannot go on wait for.
import type { Step } from '../../steps/step.ts';

/** What lanes wait for, if they do. */
export interface Wait {
  /** The step that they would take. */
  on: Step | null;
  /** State of an instruction that was blocked, for its next attempt. */
  pending: unknown;
  /** The lanes that the instruction which blocks them is executed by. */
  lanes: number;
  /** The lanes that the `bar.warp.sync` at which they are held names; 0: they are at none. */
  members: number;
}

/** No wait. */
export function noWait(): Wait {
  return { on: null, pending: undefined, lanes: 0, members: 0 };
}
