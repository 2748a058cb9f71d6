// Linear handles: each must be released by exactly one call. They have no dispose.
import type { Side } from '../op/index.ts';
import { leave, Stage } from './stage.ts';

/**
 * A stage to fill, owned until {@link release}.
 *
 * @mustRelease release
 * @stageHandle
 */
export class ProducerStage extends Stage {
  override get linear(): true {
    return true;
  }
  declare readonly side: typeof Side.produce;

  /** Moves on. The signal is made elsewhere: by copied bytes, a commit, or `arrive`. */
  release(): void {
    if (this.compiled !== null) this.compiled.leave(this, false);
    else leave(this, false);
  }

  override drop(): void {
    this.release();
  }
}

/**
 * A filled stage, owned until one of its two releases.
 *
 * @mustRelease release | releaseWithoutSignal
 * @stageHandle
 */
export class ConsumerStage extends Stage {
  override get linear(): true {
    return true;
  }
  declare readonly side: typeof Side.consume;

  /** Every thread signals the stage empty; then the role moves on. */
  release(): void {
    if (this.compiled !== null) this.compiled.leave(this, true);
    else leave(this, true);
  }

  /** Moves on alone: the signal was, or will be, made elsewhere. */
  releaseWithoutSignal(): void {
    leave(this, false);
  }

  override drop(): void {
    this.release();
  }
}
