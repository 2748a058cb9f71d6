// The consuming end of a ring: acquires full stages, reads them, and releases them.
import { Batch, RingEndpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingMisuse } from './errors.ts';
import { SKIPPED } from './layout.ts';
import type { Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import type { RingStage } from './tile.ts';
import { ReleaseResult } from './sequencer.ts';
import { WaitResult } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const NO_ITEM: number = SKIPPED;
const NOT_HELD: ReleaseResult = ReleaseResult.notHeld;

/**
 * The consuming endpoint of a ring, in one thread: acquires full stages, in order. Created by
 * {@link Ring.consumer}.
 *
 * @example
 * import { createRing } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 2, schema: { value: 'i32' } });
 * using consumer = ring.consumer();
 * {
 *   using producer = ring.producer();
 *   const stage = producer.acquireSync();
 *   stage.data.value = 42;
 *   stage.release();
 * }
 * for (const stage of consumer) console.log(stage.data.value); // 42
 */
export class Consumer<S extends Schema = Schema> extends RingEndpoint<S> {
  /** @internal */
  constructor(shared: SharedState, number: number, role: string) {
    const { consumers, delivery } = shared.shape;
    super(shared, 'consumer', number, role, consumers === 1 || delivery === 'broadcast');
  }

  /**
   * Blocks until the next stage is full and returns it; `undefined` when every producer has closed
   * and no stage is left.
   *
   * @throws RingPoisoned, RingTimeout.
   *
   * @returnsOwned
   */
  acquireSync(options?: WaitOptions): RingStage<S> | undefined {
    if (!this.isClosed && this.sequencer.isReady()) {
      const tile = this.#dropCanceled(this.claim());
      if (tile !== null) return tile;
    }
    for (;;) {
      this.sequencer.refresh();
      const result = this.waitSync(options);
      if (result === WaitResult.ended) return undefined;
      const tile = result === WaitResult.passed ? this.#dropCanceled(this.claim()) : null;
      if (tile !== null) return tile;
    }
  }

  /**
   * As {@link acquireSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, or the reason of the signal.
   *
   * @returnsOwned
   */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S> | undefined> {
    for (;;) {
      this.sequencer.refresh();
      const result = await this.wait(options);
      if (result === WaitResult.ended) return undefined;
      const tile = result === WaitResult.passed ? this.#dropCanceled(this.claim()) : null;
      if (tile !== null) return tile;
    }
  }

  /**
   * The next stage if it is full now, else `undefined`.
   *
   * @throws RingPoisoned.
   * @returnsOwned
   */
  tryAcquire(): RingStage<S> | undefined {
    this.requireOpen();
    const failure = this.shared.failure();
    if (failure !== null) throw failure;
    for (;;) {
      this.sequencer.refresh();
      if (!this.sequencer.isReady()) {
        this.wakeups?.flush();
        return undefined;
      }
      const tile = this.#dropCanceled(this.claim());
      if (tile !== null) return tile;
    }
  }

  /**
   * Blocks until the next `count` stages are full and acquires them together; fewer at the end of
   * the stream, `undefined` after it.
   *
   * @throws RingPoisoned, RingTimeout; InputError for more stages than can be held at one time.
   *
   * @returnsOwned
   */
  acquireBatchSync(count: number, options?: WaitOptions): Batch<S> | undefined {
    this.requireBatch(count);
    const tiles: RingStage<S>[] = [];
    while (tiles.length < count) {
      const tile = this.acquireSync(options);
      if (tile === undefined) break;
      tiles.push(tile);
    }
    return tiles.length === 0 ? undefined : new Batch(tiles, this);
  }

  /**
   * Calls `read` with each stage and releases it, until the stream ends. An error poisons the ring
   * with its message and line, and is rethrown.
   */
  each(read: (tile: RingStage<S>, number: number) => void): void {
    for (let number = 0; ; number++) {
      const tile = this.acquireSync();
      if (tile === undefined) return;
      try {
        read(tile, number);
      } catch (error) {
        this.failWith(error);
        throw error;
      }
      tile.release();
    }
  }

  /** The stages until the stream ends. Each is released at the end of its round. */
  *[Symbol.iterator](): Generator<RingStage<S>, void, void> {
    for (;;) {
      const tile = this.acquireSync();
      if (tile === undefined) return;
      try {
        yield tile;
      } finally {
        tile[Symbol.dispose]();
      }
    }
  }

  /** The stages until the stream ends, without blocking the thread. */
  async *[Symbol.asyncIterator](): AsyncGenerator<RingStage<S>, void, void> {
    for (;;) {
      const tile = this.tryAcquire() ?? (await this.acquire());
      if (tile === undefined) return;
      try {
        yield tile;
      } finally {
        tile[Symbol.dispose]();
      }
    }
  }

  /** A stage that its producer gave up is given back unseen. */
  #dropCanceled(tile: RingStage<S> | null): RingStage<S> | null {
    if (tile === null || this.words[this.lengthAt(tile.index)] !== NO_ITEM) return tile;
    tile.cancel();
    return null;
  }

  override setLength(): void {
    throw new RingMisuse(null, 'only a producer can set the length of a tile');
  }

  /** A poisoned ring is reported by the next acquire: no thread waits for this stage. */
  override release(stage: number): void {
    if (this.sequencer.release(stage) !== NOT_HELD) this.count();
    else this.checkRelease(ReleaseResult.notHeld, stage);
  }

  /** Releases a stage that holds no item. */
  override cancel(stage: number): void {
    if (this.getLength(stage) !== SKIPPED) {
      throw new RingMisuse(
        null,
        'a consumer must release its tile: only a producer can cancel one',
      );
    }
    this.checkRelease(this.sequencer.release(stage), stage);
  }

  override endScope(stage: number): void {
    if (this.holds(stage)) this.release(stage);
  }
}
