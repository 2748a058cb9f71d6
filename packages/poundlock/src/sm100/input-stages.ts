// Stages of the input pipeline as handles: scoped ones for `using`, linear ones for one release.
import type { Side } from '@poundlock/core/internal/op';
import { leave, Stage, type Ring } from '@poundlock/core/internal/pipeline';
import { arrive, type Barrier } from '@poundlock/core/internal/program';
import type { TilePayload } from './payload.ts';

/** A ring whose stages hold tiles. */
export interface TileRing<P extends TilePayload> extends Ring {
  readonly payload: P;
}

/** What all four handles share. No release signals: copied bytes and commits do. */
abstract class TileStage<P extends TilePayload> extends Stage {
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
    leave(this, false);
  }
}

abstract class FillingStage<P extends TilePayload> extends TileStage<P> {
  declare readonly side: typeof Side.produce;

  /** One arrival that expects `bytes` more: by one elected thread, once for each fill (T4). */
  expectBytes(bytes: number): void {
    this.touch(1);
    arrive(this.mbar(), { bytes });
  }

  /** The full barrier of the stage, which the copies count their bytes on. */
  barrier(): Barrier {
    return this.mbar();
  }
}

/** A stage to fill, left as its block ends: `using tiles = yield* producer.acquire()`. */
export class ProducerTiles<P extends TilePayload = TilePayload>
  extends FillingStage<P>
  implements Disposable
{
  override get linear(): false {
    return false;
  }

  /** Steps, and signals nothing. */
  [Symbol.dispose](): void {
    leave(this, false);
  }
}

/** A stage to fill, left by one call: `const tiles = yield* producer.acquireStage()`. */
export class InputProducerStage<P extends TilePayload = TilePayload> extends FillingStage<P> {
  override get linear(): true {
    return true;
  }

  /** Steps, and signals nothing. */
  release(): void {
    leave(this, false);
  }
}

abstract class ReadingStage<P extends TilePayload> extends TileStage<P> {
  declare readonly side: typeof Side.consume;
}

/** A filled stage, left as its block ends; `mmaOp.commit(tiles.mbar())` frees it. */
export class ConsumerTiles<P extends TilePayload = TilePayload>
  extends ReadingStage<P>
  implements Disposable
{
  override get linear(): false {
    return false;
  }

  /** Steps, and signals nothing: without a commit the stage is never free again. */
  [Symbol.dispose](): void {
    leave(this, false);
  }
}

/** A filled stage, left by one call; `mmaOp.commit(tiles.mbar())` frees it. */
export class InputConsumerStage<P extends TilePayload = TilePayload> extends ReadingStage<P> {
  override get linear(): true {
    return true;
  }

  /** Steps, and signals nothing: without a commit the stage is never free again. */
  release(): void {
    leave(this, false);
  }
}
