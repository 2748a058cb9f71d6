// A borrowed view of a stage that a scope owns: it ends with the scope and can not be released.
import type { Side } from '../op/index.ts';
import { Stage } from './stage.ts';

/**
 * A reference to the stage of a scope, to pass to functions. It cannot be released, and must not
 * be used after its scope has ended (O06).
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     const borrowed = slot.stage();
 *     tma.load(borrowed);
 *   }),
 *   role('mma', function* () {
 *     using tile = yield* ab.consume();
 *     read(tile.buffer());
 *   }),
 * ];
 */
export class BorrowedStage<S extends Side = Side> extends Stage {
  override get linear(): false {
    return false;
  }
  /** The side of the ring that acquired it. */
  declare readonly side: S;

  override get borrowed(): true {
    return true;
  }

  override drop(): void {
    // The owner releases the stage.
  }
}
