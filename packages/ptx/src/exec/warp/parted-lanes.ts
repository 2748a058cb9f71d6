// Lanes that wait in an exchange for lanes that went another way, while those go on without them.
import type { LanesStep } from '../../steps/step.ts';
import type { SimtStack } from './stack.ts';

/** Lanes of a warp that have parted: some wait, and the others do not wait for them. */
export class PartedLanes {
  /** The groups of the lanes that wait, at their exchange. */
  readonly waiting: SimtStack;
  /** Lanes that wait. */
  readonly mask: number;
  /** Lanes that they wait for. */
  readonly missing: number;
  readonly at: number;
  /** Whether those that they wait for came with another mask. */
  readonly isOfMasks: boolean;

  constructor(waiting: SimtStack, mask: number, missing: number, at: number, isOfMasks: boolean) {
    this.waiting = waiting;
    this.isOfMasks = isOfMasks;
    this.mask = mask;
    this.missing = missing;
    this.at = at;
  }

  /** The step of lanes that wait for ever. */
  get step(): LanesStep {
    return { op: 'lanes', at: this.at, missing: this.missing };
  }
}
