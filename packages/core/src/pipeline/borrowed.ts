// A borrowed view of a stage that a scope owns: it ends with the scope and can not be released.
import type { Side } from '../op/index.ts';
import { Stage } from './stage.ts';

/** What a scope hands out of its stage (O06). */
export class BorrowedStage<S extends Side = Side> extends Stage {
  override get linear(): false {
    return false;
  }
  declare readonly side: S;

  override get borrowed(): true {
    return true;
  }

  override drop(): void {
    // The owner releases the stage.
  }
}
