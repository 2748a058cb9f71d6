// Stage handles as the engines know them: four numbers that can be restored anywhere.
import type { Position } from '../base/index.ts';
import type { Side } from '../op/index.ts';

/**
 * The identity of an acquired stage. It keeps no state of its own: whether it is still owned is
 * the role's ghost state, so that a handle can travel through a loop's state (O02).
 */
export abstract class StageHandle {
  /** @safeAfterRelease */
  readonly ring: number;
  /** @safeAfterRelease */
  readonly side: Side;
  /**
   * The stage of the ring, 0 … stages − 1.
   *
   * @safeAfterRelease
   */
  readonly index: number;
  /** The role's number for this acquisition. A handle that is used again gets a new one. */
  id: number;
  /** The id of the handle that must not end before this one, or −1 (O06). */
  readonly parent: number;
  /** The role that acquired it, or −1 after a trip through a loop's state. */
  role = -1;
  /** The role's steps on its side as it was acquired, and the stretch between two loops it was. */
  acquiredAfter = -1;
  stretch = -1;
  /** Whether it is among the live handles of its role, which set it. */
  isLive = false;
  /** Where it was acquired; captured only while a finding is being explained. */
  acquiredAt: Position | undefined;

  constructor(ring: number, side: Side, index: number, id: number, parent = -1) {
    this.ring = ring;
    this.side = side;
    this.index = index;
    this.id = id;
    this.parent = parent;
  }

  /** Whether it may travel through a loop's state: scoped handles end with their block. */
  abstract readonly linear: boolean;

  /** Whether its release moves the role's counter on (R03). */
  abstract get steps(): boolean;

  /** Releases it as a destructor would. */
  abstract drop(): void;

  /** Whether it only looks at a stage that another handle, with the same id, owns. */
  get borrowed(): boolean {
    return false;
  }
}
