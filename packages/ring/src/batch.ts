// Several tiles that were acquired at once and are released together.
import { InputError } from '../../core/src/base/index.ts';
import type { RingEndpoint } from './endpoint.ts';
import type { Schema } from './schema.ts';
import type { RingStage } from './tile.ts';

/**
 * Stages that were acquired together and are released together.
 *
 * @mustRelease release | [Symbol.dispose]
 * @scopeAfterRelease
 *
 * @example
 * import { createRing } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 4, schema: { value: 'i32' } });
 * const producer = ring.producer();
 * const batch = producer.acquireBatchSync(2);
 * for (const stage of batch) stage.data.value = stage.index;
 * batch.release();
 * console.log(ring.items().produced); // 2
 */
export class Batch<S extends Schema> implements Iterable<RingStage<S>>, Disposable {
  /** The stages, in order. */
  readonly tiles: readonly RingStage<S>[];
  readonly #endpoint: RingEndpoint<S>;

  /** @internal */
  constructor(tiles: readonly RingStage<S>[], endpoint: RingEndpoint<S>) {
    this.tiles = tiles;
    this.#endpoint = endpoint;
  }

  /** The number of stages. */
  get length(): number {
    return this.tiles.length;
  }

  /** The stages, in order. */
  [Symbol.iterator](): Iterator<RingStage<S>> {
    return this.tiles[Symbol.iterator]();
  }

  /**
   * Releases the first `used` stages, in order, which are all unless specified. A producer gives up
   * the others, and those that it has canceled.
   */
  release(used = this.length): void {
    if (!Number.isInteger(used) || used < 0 || used > this.length) {
      throw new InputError(`a batch of ${this.length} tiles cannot release ${used} of them`);
    }
    if (used === this.length) return this.#endpoint.releaseAll(this.tiles);
    for (let at = this.length - 1; at >= used; at--) this.tiles[at]!.cancel();
    this.#endpoint.releaseAll(this.tiles.slice(0, used));
  }

  /** Ends the scope of every stage: see {@link RingStage}. */
  [Symbol.dispose](): void {
    for (const tile of this.tiles) tile[Symbol.dispose]();
  }
}
