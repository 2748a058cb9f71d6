// Linear handles: each must be released by exactly one call. They have no dispose.
import type { Side } from '../op/index.ts';
import { leave, Stage } from './stage.ts';

/**
 * A stage to fill, owned until {@link release}, which must be called exactly once on every path.
 *
 * @mustRelease release
 * @stageHandle
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     const slot = yield* ab.acquireProducer();
 *     tma.load(slot);
 *     slot.release();
 *   }),
 *   role('mma', function* () {
 *     const tile = yield* ab.acquireConsumer();
 *     read(tile.buffer());
 *     tile.release();
 *   }),
 * ];
 */
export class ProducerStage extends Stage {
  override get linear(): true {
    return true;
  }
  /** The producing side. */
  declare readonly side: typeof Side.produce;

  /**
   * Advances the counter to the next stage. The signal is separate: copied bytes, a commit, or
   * {@link Stage.arrive}.
   */
  release(): void {
    if (this.compiled !== null) this.compiled.leave(this, false);
    else leave(this, false);
  }

  override drop(): void {
    this.release();
  }
}

/**
 * A filled stage, owned until exactly one of its two releases.
 *
 * @mustRelease release | releaseWithoutSignal
 * @stageHandle
 *
 * @example
 * const ab = pipeline('ab', { stages: 2, bytes: 128 });
 * return [
 *   role('load', function* () {
 *     using slot = yield* ab.produce();
 *     tma.load(slot);
 *   }),
 *   role('mma', function* () {
 *     const tile = yield* ab.acquireConsumer();
 *     mma.issue(tile);
 *     mma.commit(tile.mbar());
 *     tile.releaseWithoutSignal();
 *   }),
 * ];
 */
export class ConsumerStage extends Stage {
  override get linear(): true {
    return true;
  }
  /** The consuming side. */
  declare readonly side: typeof Side.consume;

  /** Every thread signals the stage empty; then the counter advances. */
  release(): void {
    if (this.compiled !== null) this.compiled.leave(this, true);
    else leave(this, true);
  }

  /** Advances the counter alone; the signal is separate, such as a commit. */
  releaseWithoutSignal(): void {
    leave(this, false);
  }

  override drop(): void {
    this.release();
  }
}
