// Stage handles as the engines know them: four numbers that can be restored anywhere.
import type { Position } from '../base/index.ts';
import type { Side } from '../op/index.ts';

/**
 * The identity of an acquired stage. Whether it is still owned is state of the role, so that a
 * handle can pass through the state of a loop (O02).
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     if (slot.index === 0) tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     read(tile.buffer());
 *   }),
 * ];
 */
export abstract class StageHandle {
  /**
   * The number of its ring.
   *
   * @safeAfterRelease
   * @internal
   */
  readonly ring: number;
  /**
   * The side of the ring that acquired it.
   *
   * @safeAfterRelease
   */
  readonly side: Side;
  /**
   * The stage of the ring, from 0 to `stages` − 1.
   *
   * @safeAfterRelease
   */
  readonly index: number;
  /**
   * The role's number for this acquisition. A handle that is used again gets a new one.
   *
   * @internal
   */
  id: number;
  /**
   * The id of the handle that must not end before this one, or −1 (O06).
   *
   * @internal
   */
  readonly parent: number;
  /**
   * The role that acquired it, or −1 after it was restored from the state of a loop.
   *
   * @internal
   */
  role = -1;
  /**
   * How many steps the role had made on its side when it acquired the stage.
   *
   * @internal
   */
  acquiredAfter = -1;
  /**
   * The part of the role between two loops in which it was acquired.
   *
   * @internal
   */
  stretch = -1;
  /**
   * Whether it is among the live handles of its role, which set it.
   *
   * @internal
   */
  isLive = false;
  /**
   * Where it was acquired; recorded only while a finding is explained.
   *
   * @internal
   */
  acquiredAt: Position | undefined = undefined;

  /** @internal */
  constructor(ring: number, side: Side, index: number, id: number, parent = -1) {
    this.ring = ring;
    this.side = side;
    this.index = index;
    this.id = id;
    this.parent = parent;
  }

  /**
   * Whether it may pass through the state of a loop: scoped handles end with their block.
   */
  abstract readonly linear: boolean;

  /**
   * Whether its release advances the role's counter (R03).
   *
   * @internal
   */
  abstract get steps(): boolean;

  /** Releases it as a destructor would. */
  abstract drop(): void;

  /**
   * Whether it only refers to a stage that another handle, with the same id, owns.
   *
   * @internal
   */
  get borrowed(): boolean {
    return false;
  }
}
