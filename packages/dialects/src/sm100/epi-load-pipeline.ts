// The pipeline of the epilogue-load warp: residuals and biases.
import { UNITS, arrive, asyncCopy, pipeline } from '@poundlock/core';
import type { Barrier, Op, Operation, ProducerConsumerPipeline } from '@poundlock/core';
import { trackGenerators } from '@poundlock/core/dialect';
import { WARP_SIZE } from './config.ts';
import type { Tile } from './tile.ts';

/**
 * Tiles that the epilogue-load warp copies for the epilogue warps, with the operations of the
 * pipeline.
 *
 * @example
 * const tiles = tileArray('src', { shape: [128, 64], elementBytes: 2, count: 2 });
 * const source = new EpiLoadPipeline('epi_load', tiles);
 * const both = new WarpRoles(ctx, () => source.initBarriers());
 * return [
 *   both.epilogueLoad(function* () {
 *     yield* source.load();
 *   }),
 *   both.epilogue(function* () {
 *     const stage = yield* source.waitProducer();
 *     for (const slice of source.tile(stage).slices) read(slice);
 *     source.release(stage);
 *   }),
 * ];
 */
export class EpiLoadPipeline {
  /** The pipeline below. */
  readonly pipeline: ProducerConsumerPipeline;
  readonly #tiles: readonly Tile[];

  /** Declares it over `tiles`, one for each stage; {@link initBarriers} initializes it. */
  constructor(name: string, tiles: readonly Tile[]) {
    const shape = { stages: tiles.length, bytes: {}, producers: 0, consumers: 0 };
    this.pipeline = pipeline(name, shape);
    this.#tiles = tiles;
  }

  /**
   * Initializes its barriers: one elected thread and its bytes fill a stage; every epilogue thread
   * empties it.
   */
  initBarriers(): void {
    this.pipeline.initMbars(1, 4 * WARP_SIZE);
  }

  /** Blocks until the next stage is empty, and returns its number. */
  waitConsumer(): Operation<number> {
    return this.pipeline.waitConsumer();
  }

  /** Blocks until the next stage is full, and returns its number. */
  waitProducer(): Operation<number> {
    return this.pipeline.waitProducer();
  }

  /** Advances the producer. */
  producerStep(): void {
    this.pipeline.producerStep();
  }

  /** Advances the consumer. */
  consumerStep(): void {
    this.pipeline.consumerStep();
  }

  /** The full barrier of the producer's current stage. */
  *producerMbar(): Generator<Op, Barrier, number> {
    return this.pipeline.producerMbar(yield* this.pipeline.producerStage());
  }

  /** The tile of a stage. */
  tile(stage: number): Tile {
    return this.#tiles[stage]!;
  }

  /** Blocks until a stage is empty, expects its bytes, issues its copy, and advances. */
  *load(): Generator<Op, void, number> {
    const stage = yield* this.waitConsumer();
    const { bytes, slices: into } = this.tile(stage);
    const bar = yield* this.producerMbar();
    arrive(bar, { bytes });
    asyncCopy(UNITS.tma, { into, bar, bytes });
    this.producerStep();
  }

  /** Every thread of the epilogue frees a stage; then the consumer advances. */
  release(stage: number): void {
    arrive(this.pipeline.consumerMbar(stage), { everyLane: true });
    this.consumerStep();
  }
}
trackGenerators(EpiLoadPipeline);
