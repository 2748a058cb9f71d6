// A look at a stage that a scope owns: it has the scope's life and can not be released.
import { Stage } from './stage.ts';

/** What a scope hands out of its stage (O06). */
export class BorrowedStage extends Stage {
  readonly linear = false;

  override get borrowed(): boolean {
    return true;
  }

  override drop(): void {
    // Whoever owns the stage releases it.
  }
}
