// The producing end of a ring: acquires empty stages, fills them, and releases them.
import { Batch, RingEndpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingClosed, RingMisuse } from './errors.ts';
import { SKIPPED } from './layout.ts';
import type { Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import type { RingStage } from './tile.ts';
import { ReleaseResult } from './sequencer.ts';
import { waitPhase, waitPhaseAsync, WaitResult } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const DONE: ReleaseResult = ReleaseResult.done;

/**
 * The producing endpoint of a ring, in one thread: acquires empty stages, in order. Created by
 * {@link Ring.producer}.
 *
 * @example
 * import { createRing } from 'poundlock/ring';
 *
 * const ring = createRing({ stages: 2, bytes: 64 });
 * using producer = ring.producer();
 * const stage = producer.acquireSync();
 * stage.fill(0);
 * stage.release();
 * console.log(ring.items().produced); // 1
 */
export class Producer<S extends Schema = Schema> extends RingEndpoint<S> {
  readonly #bytes: number;

  /** @internal */
  constructor(shared: SharedState, number: number, role: string) {
    const { producers, bytes } = shared.shape;
    super(shared, 'producer', number, role, producers === 1);
    this.#bytes = bytes;
  }

  /**
   * Blocks until the next stage is empty and returns it, to be filled and released.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed when every consumer has closed.
   *
   * @returnsOwned
   *
   * @example
   * import { createRing } from 'poundlock/ring';
   *
   * const producer = createRing({ stages: 1, bytes: 64 }).producer();
   * producer.acquireSync().release();
   * try {
   *   producer.acquireSync({ timeoutMs: 1 });
   * } catch (error) {
   *   console.log((error as Error).name); // RingTimeout
   * }
   */
  acquireSync(options?: WaitOptions): RingStage<S> {
    if (!this.isClosed && this.sequencer.isReady()) {
      const tile = this.claim();
      if (tile !== null) return this.#resetLength(tile);
    }
    for (;;) {
      this.sequencer.refresh();
      const tile = this.#claimAfter(this.waitSync(options));
      if (tile !== null) return tile;
    }
  }

  /**
   * As {@link acquireSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   *
   * @returnsOwned
   */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S>> {
    for (;;) {
      this.sequencer.refresh();
      const tile = this.#claimAfter(await this.wait(options));
      if (tile !== null) return tile;
    }
  }

  /**
   * The next stage if it is empty now, else `undefined`.
   *
   * @throws RingPoisoned.
   * @returnsOwned
   */
  tryAcquire(): RingStage<S> | undefined {
    this.requireOpen();
    this.sequencer.refresh();
    const failure = this.shared.failure();
    if (failure !== null) throw failure;
    const tile = this.sequencer.isReady() ? this.claim() : null;
    if (tile !== null) return this.#resetLength(tile);
    this.wakeups?.flush();
    return undefined;
  }

  /**
   * Blocks until the next `count` stages are empty and acquires them together.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed; InputError for more stages than can be held at
   * one time.
   *
   * @returnsOwned
   */
  acquireBatchSync(count: number, options?: WaitOptions): Batch<S> {
    this.requireBatch(count);
    const tiles: RingStage<S>[] = [];
    while (tiles.length < count) tiles.push(this.acquireSync(options));
    return new Batch(tiles, this);
  }

  /**
   * Calls `fill` with each stage and releases it, until it returns `false`: that stage is given
   * up. An error poisons the ring with its message and line, and is rethrown.
   */
  each(fill: (tile: RingStage<S>, number: number) => boolean | void): void {
    for (let number = 0; ; number++) {
      const tile = this.acquireSync();
      try {
        if (fill(tile, number) === false) return tile.cancel();
      } catch (error) {
        this.failWith(error);
        throw error;
      }
      tile.release();
    }
  }

  /**
   * Blocks until consumers have released every stage that was filled.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed.
   */
  drainSync(options: WaitOptions = {}): void {
    const { timeoutMs = this.shared.shape.timeoutMs } = options;
    for (const target of this.sequencer.drainTargets()) {
      this.#checkDrained(
        waitPhase(this.words, target, this.spin, timeoutMs, this.wakeups),
        timeoutMs,
      );
    }
  }

  /**
   * As {@link drainSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   */
  async drain(options: AsyncWaitOptions = {}): Promise<void> {
    const { timeoutMs = this.shared.shape.timeoutMs, signal } = options;
    for (const target of this.sequencer.drainTargets()) {
      this.#checkDrained(
        await waitPhaseAsync(this.words, target, timeoutMs, signal, this.wakeups),
        timeoutMs,
      );
    }
  }

  #checkDrained(result: WaitResult, timeoutMs: number): void {
    if (this.checkWait(result, timeoutMs) !== WaitResult.passed) this.#throwClosed();
  }

  #claimAfter(result: WaitResult): RingStage<S> | null {
    if (result === WaitResult.ended) this.#throwClosed();
    const tile = result === WaitResult.passed ? this.claim() : null;
    return tile === null ? null : this.#resetLength(tile);
  }

  #resetLength(tile: RingStage<S>): RingStage<S> {
    // Mostly it says so already, and its cache line stays where it is.
    const at = this.lengthAt(tile.index);
    if (this.words[at] !== this.#bytes) this.words[at] = this.#bytes;
    return tile;
  }

  #throwClosed(): never {
    throw new RingClosed(`every consumer of ring ${this.shared.shape.name} has closed`);
  }

  override setLength(stage: number, bytes: number): void {
    if (!Number.isInteger(bytes) || bytes < 0 || bytes > this.#bytes) {
      throw new RingMisuse(null, `the length of a tile must be 0 to ${this.#bytes}, not ${bytes}`);
    }
    this.words[this.lengthAt(stage)] = bytes;
  }

  override release(stage: number): void {
    const result = this.sequencer.release(stage);
    if (result === DONE) this.count();
    else this.checkRelease(result, stage);
  }

  protected override checkRelease(result: ReleaseResult, stage: number): void {
    super.checkRelease(result, stage);
    if (result === ReleaseResult.poisoned) throw this.shared.poisoned();
  }

  override cancel(stage: number): void {
    if (this.sequencer.unclaim(stage)) return;
    this.words[this.lengthAt(stage)] = SKIPPED;
    this.checkRelease(this.sequencer.release(stage), stage);
  }

  override endScope(stage: number): void {
    if (this.holds(stage)) this.fail('its scope exited before the tile was released');
  }
}
