// Stages of the input pipeline as handles: scoped ones for `using`, linear ones for one release.
import { arrive } from '@poundlock/core';
import type { Barrier, Side } from '@poundlock/core';
import { Stage } from '@poundlock/core/dialect';
import type { RingDeclaration } from '@poundlock/core/dialect';
import type { TilePayload } from './payload.ts';

/** A ring whose stages hold tiles. */
export interface TileRing<P extends TilePayload> extends RingDeclaration {
  readonly payload: P;
}

/** What all four handles share. No release signals: copied bytes and commits do. */
abstract class TileStage<P extends TilePayload> extends Stage {
  /**
   * The ring of the stage.
   *
   * @internal
   */
  declare readonly owner: TileRing<P>;

  /** The tiles of the whole pipeline; those of this stage are found by its number. */
  payload(): P {
    this.touch();
    return this.owner.payload;
  }

  /** The number of the stage. */
  stage(): number {
    return this.index;
  }

  override drop(): void {
    this.leave(false);
  }
}

abstract class FillingStage<P extends TilePayload> extends TileStage<P> {
  /** The producing side. */
  declare readonly side: typeof Side.produce;

  /** One arrival that expects `bytes` more: by one elected thread, once for each fill (T4). */
  expectBytes(bytes: number): void {
    this.touch(1);
    arrive(this.mbar(), { bytes });
  }

  /** The full barrier of the stage, which counts the bytes of copies. */
  barrier(): Barrier {
    return this.mbar();
  }
}

/**
 * A stage to fill that is released when its block ends: `using tiles = yield* producer.acquire()`.
 *
 * @example
 * return [
 *   warps.mainLoad(function* () {
 *     using tiles: ProducerTiles = yield* input.producer().acquire();
 *     tiles.expectBytes(payload.bytes);
 *     for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
 *   }),
 *   multiply,
 *   epilogueThread,
 * ];
 */
export class ProducerTiles<P extends TilePayload = TilePayload>
  extends FillingStage<P>
  implements Disposable
{
  override get linear(): false {
    return false;
  }

  /** Advances without a signal. */
  [Symbol.dispose](): void {
    this.leave(false);
  }
}

/**
 * A stage to fill, owned until {@link release}: `const tiles = yield* producer.acquireStage()`.
 *
 * @example
 * return [
 *   warps.mainLoad(function* () {
 *     const tiles: InputProducerStage = yield* input.producer().acquireStage();
 *     tiles.expectBytes(payload.bytes);
 *     for (const tile of payload.getTile(tiles.stage())) loader.load(tile, tiles.barrier());
 *     tiles.release();
 *   }),
 *   multiply,
 *   epilogueThread,
 * ];
 */
export class InputProducerStage<P extends TilePayload = TilePayload> extends FillingStage<P> {
  override get linear(): true {
    return true;
  }

  /** Advances without a signal. */
  release(): void {
    this.leave(false);
  }
}

abstract class ReadingStage<P extends TilePayload> extends TileStage<P> {
  /** The consuming side. */
  declare readonly side: typeof Side.consume;
}

/**
 * A filled stage that is released when its block ends; `mmaOp.commit(tiles.mbar())` frees it.
 *
 * @example
 * return [
 *   load,
 *   warps.mma(function* () {
 *     using tiles: ConsumerTiles = yield* input.consumer().acquire();
 *     mmaOp.mma(payload.getTile(tiles.stage()), acc);
 *     mmaOp.commit(tiles.mbar());
 *   }),
 *   epilogueThread,
 * ];
 */
export class ConsumerTiles<P extends TilePayload = TilePayload>
  extends ReadingStage<P>
  implements Disposable
{
  override get linear(): false {
    return false;
  }

  /** Advances without a signal: without a commit the stage is never free again. */
  [Symbol.dispose](): void {
    this.leave(false);
  }
}

/**
 * A filled stage, owned until {@link release}; `mmaOp.commit(tiles.mbar())` frees it.
 *
 * @example
 * return [
 *   load,
 *   warps.mma(function* () {
 *     const tiles: InputConsumerStage = yield* input.consumer().acquireStage();
 *     mmaOp.mma(payload.getTile(tiles.stage()), acc);
 *     mmaOp.commit(tiles.mbar());
 *     tiles.release();
 *   }),
 *   epilogueThread,
 * ];
 */
export class InputConsumerStage<P extends TilePayload = TilePayload> extends ReadingStage<P> {
  override get linear(): true {
    return true;
  }

  /** Advances without a signal: without a commit the stage is never free again. */
  release(): void {
    this.leave(false);
  }
}
