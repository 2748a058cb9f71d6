// The consuming end of a ring: acquires full stages, reads them, and releases them.
import { Batch } from './batch.ts';
import { RingEndpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingMisuse } from './errors.ts';
import { SKIPPED } from './layout.ts';
import type { Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import type { RingStage } from './tile.ts';
import { ReleaseResult } from './sequencer.ts';
import { WaitResult } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const NO_ITEM: number = SKIPPED;
const ENDED = Symbol('the stream has ended');
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
 *   producer.end();
 * }
 * for (const stage of consumer) console.log(stage.data.value); // 42
 */
export class Consumer<S extends Schema = Schema> extends RingEndpoint<S> {
  /** @internal */
  constructor(shared: SharedState, index: number, role: string) {
    const { consumers, delivery } = shared.shape;
    super(shared, 'consumer', index, role, consumers === 1 || delivery === 'broadcast');
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
    if (options !== undefined) this.limitOf(options);
    if (!this.isClosed && this.sequencer.isReady()) {
      const tile = this.claim();
      if (tile !== null) return tile;
    }
    return this.#acquireByWaiting(options);
  }

  /** A function of its own, so that V8 inlines the common case into the caller's loop. */
  #acquireByWaiting(options: WaitOptions | undefined): RingStage<S> | undefined {
    const limitMs = this.limitOf(options);
    for (let deadline = -1; ;) {
      this.sequencer.refresh();
      const result = this.waitSync(limitMs, deadline);
      if (result === WaitResult.ended) return this.#ended();
      const tile = result === WaitResult.passed ? this.claim() : null;
      if (tile !== null) return tile;
      // Another endpoint was faster: the time limit is that of the whole call.
      if (deadline < 0) deadline = performance.now() + limitMs;
    }
  }

  /**
   * As {@link acquireSync}, without blocking the thread. Calls that wait at the same time get
   * their stages in the order of the calls.
   *
   * @throws RingPoisoned, RingTimeout, or the reason of the signal.
   *
   * @returnsOwned
   */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S> | undefined> {
    const found = await this.wait(options, (isEnded) => {
      return isEnded ? ENDED : this.claim();
    });
    return found === ENDED ? this.#ended() : found;
  }

  /** The stream has ended: a consumer that holds nothing has done its part. */
  #ended(): undefined {
    if (this.shared.heldBy(this.index).stages.length === 0) this.finish();
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
      const tile = this.claim();
      if (tile !== null) return tile;
    }
  }

  /**
   * Blocks until the next stage is full and acquires it together with those after it that are full
   * as well, at most `count`; `undefined` at the end of the stream.
   *
   * @throws RingPoisoned, RingTimeout; InputError for more stages than the ring has.
   *
   * @returnsOwned
   */
  acquireBatchSync(count: number, options?: WaitOptions): Batch<S> | undefined {
    this.requireBatch(count);
    this.requireOpen();
    const limitMs = this.limitOf(options);
    for (let deadline = -1; ;) {
      this.sequencer.refresh();
      const { inherited } = this.sequencer;
      const ready = inherited > 0 ? Math.min(inherited, count) : this.sequencer.readyCount(count);
      if (ready === 0) {
        if (deadline < 0) deadline = performance.now() + limitMs;
        const result = this.waitSync(limitMs, deadline);
        if (result === WaitResult.ended) return this.#ended();
        continue;
      }
      const tiles = this.claimAll(ready);
      if (tiles !== null && tiles.length > 0) return new Batch(tiles, this);
    }
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
        this.fail(error);
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

  /** A stage that its producer gave up is passed back unseen. */
  protected override prepare(stage: number): boolean {
    if (this.words[this.lengthAt(stage)] !== NO_ITEM) return true;
    this.checkRelease(this.sequencer.release(stage), stage);
    return false;
  }

  override setLength(): void {
    throw new RingMisuse(null, 'only a producer can set the length of a tile');
  }

  override growLength(): void {
    throw new RingMisuse(null, 'only a producer can copy into a tile');
  }

  /** A poisoned ring is reported by the next acquire: no thread waits for this stage. */
  override release(stage: number): void {
    if (this.sequencer.release(stage) !== NOT_HELD) this.count();
    else this.checkRelease(ReleaseResult.notHeld, stage);
  }

  override cancel(): void {
    const what = 'a consumer must release its tile: only a producer can cancel one';
    throw new RingMisuse(null, what);
  }

  override endScope(tile: Pick<RingStage<S>, 'index' | 'release'>): void {
    if (this.holds(tile.index)) tile.release();
  }
}
