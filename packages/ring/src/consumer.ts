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

/** Reads stages. Made by {@link Ring.consumer}; one thread's. */
export class Consumer<S extends Schema = Schema> extends RingEndpoint<S> {
  constructor(shared: SharedState, number: number, role: string) {
    const { consumers, delivery } = shared.shape;
    super(shared, 'consumer', number, role, consumers === 1 || delivery === 'broadcast');
  }

  /**
   * Blocks until the next stage is full and answers it; `undefined` when every producer has closed
   * and nothing is left.
   *
   * @throws RingPoisoned, RingTimeout.
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

  /** As {@link acquireSync}, without blocking the thread. */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S> | undefined> {
    for (;;) {
      this.sequencer.refresh();
      const result = await this.wait(options);
      if (result === WaitResult.ended) return undefined;
      const tile = result === WaitResult.passed ? this.#dropCanceled(this.claim()) : null;
      if (tile !== null) return tile;
    }
  }

  /** The next stage if it is full now, else `undefined`. */
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
   * Blocks until the next `count` stages are full and takes them together; fewer at the end of the
   * stream, `undefined` after it.
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

  /** Calls `read` with one tile after the other, and gives each back, until the stream ends. */
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

  /** The tiles until the stream ends. A round's tile is given back as the round ends. */
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

  /** As {@link Symbol.iterator}, without blocking the thread. */
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

  /** Releases a stage that its producer canceled. */
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
