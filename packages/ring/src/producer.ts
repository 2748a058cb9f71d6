// The producing end of a ring: acquires empty stages, fills them, and releases them.
import { Batch } from './batch.ts';
import { ASYNC_WAIT, LEFT_EARLY, RingEndpoint } from './endpoint.ts';
import type { AsyncWaitOptions, WaitOptions } from './endpoint.ts';
import { RingClosed, RingMisuse } from './errors.ts';
import { SKIPPED, WHOLE } from './layout.ts';
import { openSource, type PipeSource } from './pipe/ends.ts';
import type { Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import type { RingStage } from './tile.ts';
import { ReleaseResult } from './sequencer.ts';
import { waitPhaseAsync, WaitResult } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const DONE: ReleaseResult = ReleaseResult.done;
const UNSET: number = WHOLE;

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
 * producer.end();
 * console.log(ring.items().produced); // 1
 */
export class Producer<S extends Schema = Schema> extends RingEndpoint<S> {
  readonly #bytes: number;

  /** @internal */
  constructor(shared: SharedState, index: number, role: string) {
    const { producers, bytes } = shared.shape;
    super(shared, 'producer', index, role, producers === 1);
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
    if (options !== undefined) this.limitOf(options);
    if (!this.isClosed && this.sequencer.isReady()) {
      const tile = this.claim();
      if (tile !== null) return tile;
    }
    return this.#acquireByWaiting(options);
  }

  /** A function of its own, so that V8 inlines the common case into the caller's loop. */
  #acquireByWaiting(options: WaitOptions | undefined): RingStage<S> {
    const limitMs = this.limitOf(options);
    for (let deadline = -1; ;) {
      this.sequencer.refresh();
      const result = this.waitSync(limitMs, deadline);
      if (result === WaitResult.ended) this.#throwClosed();
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
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   *
   * @returnsOwned
   */
  acquire(options?: AsyncWaitOptions): Promise<RingStage<S>> {
    return this.wait(options, (isEnded) => {
      if (isEnded) this.#throwClosed();
      return this.claim();
    });
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
    if (tile !== null) return tile;
    this.wakeups?.flush();
    return undefined;
  }

  /**
   * Blocks until the next `count` stages are empty and acquires them together; none is held
   * meanwhile.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed; InputError for more stages than the ring has,
   * RingMisuse for more than it has beside those that this endpoint holds.
   *
   * @returnsOwned
   */
  acquireBatchSync(count: number, options?: WaitOptions): Batch<S> {
    this.requireBatch(count);
    this.requireOpen();
    const limitMs = this.limitOf(options);
    for (let deadline = -1; ;) {
      this.sequencer.refresh();
      const fresh = Math.max(0, count - this.sequencer.inherited);
      const ready = this.sequencer.readyCount(fresh);
      if (ready < fresh) {
        this.#requireFree(count);
        if (deadline < 0) deadline = performance.now() + limitMs;
        const result = this.waitSync(limitMs, deadline, ready);
        if (result === WaitResult.ended) this.#throwClosed();
        continue;
      }
      const tiles = this.claimAll(count);
      if (tiles !== null) return new Batch(tiles, this);
    }
  }

  /** Throws if a batch would wait for stages that this endpoint holds itself. */
  #requireFree(count: number): void {
    const { stages, name } = this.shared.shape;
    const held = this.shared.heldBy(this.index).stages.length;
    if (count + held - this.sequencer.inherited <= stages) return;
    throw new RingMisuse(
      null,
      `producer ${this.role} holds ${held} of the ${stages} stages of ring ${name} ` +
        `and waits for ${count} more`,
    );
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
        this.fail(error);
        throw error;
      }
      tile.release();
    }
  }

  /**
   * Copies the bytes of a source into stages, without blocking the thread, and returns how many
   * they were. A chunk that is larger than a stage takes several; each has its {@link
   * RingStage.length}. The stream goes on afterwards.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal; what the source
   * throws. Then the source is closed.
   *
   * @example
   * import { createRing } from 'poundlock/ring';
   *
   * const ring = createRing({ bytes: 4 });
   * const producer = ring.producer();
   * await producer.write(['hello', 'you'].map((text) => new TextEncoder().encode(text)));
   * console.log(ring.items().produced); // 3
   */
  async write(source: PipeSource<Uint8Array>, options?: AsyncWaitOptions): Promise<number> {
    const { next, cancel } = openSource(source);
    let written = 0;
    let hasEnded = false;
    try {
      for (;;) {
        const { done, value } = await next();
        if ((hasEnded = done === true)) return written;
        const chunk = value as Uint8Array;
        for (let at = 0; at < chunk.length; at += this.#bytes) {
          const tile = this.tryAcquire() ?? (await this.acquire(options));
          const part = chunk.subarray(at, at + this.#bytes);
          tile.copyFrom(part);
          tile.release();
          written += part.length;
        }
      }
    } finally {
      if (!hasEnded) await cancel(undefined);
    }
  }

  /**
   * Blocks until consumers have released every stage that was filled.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed.
   */
  drainSync(options: WaitOptions = {}): void {
    const timeoutMs = this.limitOf(options);
    for (const target of this.sequencer.drainTargets()) {
      if (this.blockFor(target, timeoutMs, timeoutMs) !== WaitResult.passed) this.#throwClosed();
    }
  }

  /**
   * As {@link drainSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   */
  async drain(options: AsyncWaitOptions = {}): Promise<void> {
    const timeoutMs = this.limitOf(options, ASYNC_WAIT);
    const { signal } = options;
    for (const target of this.sequencer.drainTargets()) {
      const result = await waitPhaseAsync(this.words, target, timeoutMs, signal, this.wakeups);
      if (this.checkWait(result, timeoutMs) !== WaitResult.passed) this.#throwClosed();
    }
  }

  protected override prepare(stage: number): boolean {
    // Mostly the length says so already, and its cache line stays where it is.
    const at = this.lengthAt(stage);
    if (this.words[at] !== UNSET) this.words[at] = UNSET;
    return true;
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

  override growLength(stage: number, end: number): void {
    const at = this.lengthAt(stage);
    const length = this.words[at]!;
    if (length < end || length === UNSET) this.words[at] = end;
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
    if (!this.holds(stage)) return this.checkRelease(ReleaseResult.notHeld, stage);
    if (this.sequencer.unclaim(stage)) return;
    this.words[this.lengthAt(stage)] = SKIPPED;
    this.checkRelease(this.sequencer.release(stage), stage);
  }

  override endScope({ index }: Pick<RingStage<S>, 'index'>): void {
    if (this.holds(index)) this.poison('its scope exited before the tile was released', false);
  }

  /**
   * Ends the stream: consumers read the tiles that are left, and then get `undefined`. The same as
   * {@link close}.
   *
   * @throws RingMisuse when it still holds a stage.
   */
  end(): void {
    this.close();
  }

  /** Half a stream must not look like a whole one. */
  protected override scopeFailure(holds: boolean): string | null {
    return super.scopeFailure(holds) ?? LEFT_EARLY;
  }
}
