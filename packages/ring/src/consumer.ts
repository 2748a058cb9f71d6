// The consuming end of a ring: acquires full stages, reads them, and gives them back.
import { Batch, Endpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingMisuse } from './errors.ts';
import { SKIPPED } from './layout.ts';
import type { Schema } from './schema.ts';
import type { Shared } from './shared.ts';
import type { RingStage } from './tile.ts';
import { Given } from './sequencer.ts';
import { Woken } from './wait.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const NO_ITEM: number = SKIPPED;
const NOT_HELD: Given = Given.notHeld;

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
export class Consumer<S extends Schema = Schema> extends Endpoint<S> {
  /** @internal */
  constructor(shared: Shared, number: number, role: string) {
    const { consumers, delivery } = shared.shape;
    super(shared, 'consumer', number, role, consumers === 1 || delivery === 'broadcast');
  }

  /**
   * Blocks until the next stage is full and returns it; `undefined` when every producer has closed
   * and no stage is left.
   *
   * @throws RingPoisoned, RingTimeout.
   */
  acquireSync(options?: WaitOptions): RingStage<S> | undefined {
    if (!this.isClosed && this.turns.isReady()) {
      const tile = this.#seen(this.claim());
      if (tile !== null) return tile;
    }
    for (;;) {
      this.turns.look();
      const woken = this.waitSync(options);
      if (woken === Woken.ended) return undefined;
      const tile = woken === Woken.passed ? this.#seen(this.claim()) : null;
      if (tile !== null) return tile;
    }
  }

  /**
   * As {@link acquireSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, or the reason of the signal.
   */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S> | undefined> {
    for (;;) {
      this.turns.look();
      const woken = await this.wait(options);
      if (woken === Woken.ended) return undefined;
      const tile = woken === Woken.passed ? this.#seen(this.claim()) : null;
      if (tile !== null) return tile;
    }
  }

  /**
   * The next stage if it is full now, else `undefined`.
   *
   * @throws RingPoisoned.
   */
  tryAcquire(): RingStage<S> | undefined {
    this.requireOpen();
    const failure = this.shared.failure();
    if (failure !== null) throw failure;
    for (;;) {
      this.turns.look();
      if (!this.turns.isReady()) {
        this.debts?.pay();
        return undefined;
      }
      const tile = this.#seen(this.claim());
      if (tile !== null) return tile;
    }
  }

  /**
   * Blocks until the next `count` stages are full and acquires them together; fewer at the end of
   * the stream, `undefined` after it.
   *
   * @throws RingPoisoned, RingTimeout; InputError for more stages than can be held at one time.
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
  #seen(tile: RingStage<S> | null): RingStage<S> | null {
    if (tile === null || this.words[this.lengthAt(tile.index)] !== NO_ITEM) return tile;
    tile.cancel();
    return null;
  }

  override setLength(): void {
    throw new RingMisuse(null, 'only a producer says how long a tile is');
  }

  /** In a poisoned ring nobody waits for the stage any more; the next acquire tells. */
  override release(stage: number): void {
    if (this.turns.give(stage) !== NOT_HELD) this.count();
    else this.gave(Given.notHeld, stage);
  }

  /** Gives a stage back that is no item. */
  override cancel(stage: number): void {
    if (this.getLength(stage) !== SKIPPED) {
      throw new RingMisuse(null, 'a consumer releases a tile: only a producer can cancel one');
    }
    this.gave(this.turns.give(stage), stage);
  }

  override leave(stage: number): void {
    if (this.holds(stage)) this.release(stage);
  }
}
