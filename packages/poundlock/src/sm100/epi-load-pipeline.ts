// The pipeline of what the epilogue loads itself: residuals and biases, by a warp of their own.
import { UNITS, type Op } from '@poundlock/core/internal/op';
import { pipeline, type ProducerConsumerPipeline } from '@poundlock/core/internal/pipeline';
import { arrive, asyncCopy, type Barrier, type Operation } from '@poundlock/core/internal/program';
import { WARP_SIZE } from './config.ts';
import type { Tile } from './tile.ts';

/** Tiles between the epilogue-load warp and the epilogue warps, with the verbs of the pipeline. */
export class EpiLoadPipeline {
  readonly pipeline: ProducerConsumerPipeline;
  readonly #tiles: readonly Tile[];

  /** Declares it over `tiles`, one for each stage; {@link initBarriers} makes it ready. */
  constructor(name: string, tiles: readonly Tile[]) {
    const shape = { stages: tiles.length, bytes: {}, producers: 0, consumers: 0 };
    this.pipeline = pipeline(name, shape);
    this.#tiles = tiles;
  }

  /** One elected thread and its bytes fill a stage; every epilogue thread empties it. */
  initBarriers(): void {
    this.pipeline.initMbars(1, 4 * WARP_SIZE);
  }

  waitConsumer(): Operation<number> {
    return this.pipeline.waitConsumer();
  }

  waitProducer(): Operation<number> {
    return this.pipeline.waitProducer();
  }

  producerStep(): void {
    this.pipeline.producerStep();
  }

  consumerStep(): void {
    this.pipeline.consumerStep();
  }

  /** The full barrier of the stage that the producer stands at. */
  *producerMbar(): Generator<Op, Barrier, number> {
    return this.pipeline.producerMbar(yield* this.pipeline.producerStage());
  }

  /** The tile of a stage. */
  tile(stage: number): Tile {
    return this.#tiles[stage]!;
  }

  /** Waits for an empty stage, expects its bytes, starts its copy, and steps. */
  *load(): Generator<Op, void, number> {
    const stage = yield* this.waitConsumer();
    const { bytes, slices: into } = this.tile(stage);
    const bar = yield* this.producerMbar();
    arrive(bar, { bytes });
    asyncCopy(UNITS.tma, { into, bar, bytes });
    this.producerStep();
  }

  /** Every thread of the epilogue frees a stage; then it steps. */
  release(stage: number): void {
    arrive(this.pipeline.consumerMbar(stage), { everyLane: true });
    this.consumerStep();
  }
}
