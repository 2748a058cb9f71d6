// The producing end of a ring: acquires empty stages, fills them, and hands them over.
import { Batch, Endpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingClosed, RingMisuse } from './errors.ts';
import { SKIPPED } from './layout.ts';
import type { Schema } from './schema.ts';
import type { Shared } from './shared.ts';
import type { RingStage } from './tile.ts';
import { Given } from './sequencer.ts';
import { waitPhase, waitPhaseAsync, Woken } from './wait.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const DONE: Given = Given.done;

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
export class Producer<S extends Schema = Schema> extends Endpoint<S> {
  readonly #bytes: number;

  /** @internal */
  constructor(shared: Shared, number: number, role: string) {
    const { producers, bytes } = shared.shape;
    super(shared, 'producer', number, role, producers === 1);
    this.#bytes = bytes;
  }

  /**
   * Blocks until the next stage is empty and returns it, to be filled and released.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed when every consumer has closed.
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
    if (!this.isClosed && this.turns.isReady()) {
      const tile = this.claim();
      if (tile !== null) return this.#fresh(tile);
    }
    for (;;) {
      this.turns.look();
      const tile = this.#taken(this.waitSync(options));
      if (tile !== null) return tile;
    }
  }

  /**
   * As {@link acquireSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   */
  async acquire(options?: AsyncWaitOptions): Promise<RingStage<S>> {
    for (;;) {
      this.turns.look();
      const tile = this.#taken(await this.wait(options));
      if (tile !== null) return tile;
    }
  }

  /**
   * The next stage if it is empty now, else `undefined`.
   *
   * @throws RingPoisoned.
   */
  tryAcquire(): RingStage<S> | undefined {
    this.requireOpen();
    this.turns.look();
    const failure = this.shared.failure();
    if (failure !== null) throw failure;
    const tile = this.turns.isReady() ? this.claim() : null;
    if (tile !== null) return this.#fresh(tile);
    this.debts?.pay();
    return undefined;
  }

  /**
   * Blocks until the next `count` stages are empty and acquires them together.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed; InputError for more stages than can be held at
   * one time.
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
    for (const wanted of this.turns.drained()) {
      this.#drained(waitPhase(this.words, wanted, this.patience, timeoutMs, this.debts), timeoutMs);
    }
  }

  /**
   * As {@link drainSync}, without blocking the thread.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed, or the reason of the signal.
   */
  async drain(options: AsyncWaitOptions = {}): Promise<void> {
    const { timeoutMs = this.shared.shape.timeoutMs, signal } = options;
    for (const wanted of this.turns.drained()) {
      this.#drained(
        await waitPhaseAsync(this.words, wanted, timeoutMs, signal, this.debts),
        timeoutMs,
      );
    }
  }

  #drained(woken: Woken, timeoutMs: number): void {
    if (this.judge(woken, timeoutMs) !== Woken.passed) this.#refuse();
  }

  #taken(woken: Woken): RingStage<S> | null {
    if (woken === Woken.ended) this.#refuse();
    const tile = woken === Woken.passed ? this.claim() : null;
    return tile === null ? null : this.#fresh(tile);
  }

  #fresh(tile: RingStage<S>): RingStage<S> {
    // Mostly it says so already, and its cache line stays where it is.
    const at = this.lengthAt(tile.index);
    if (this.words[at] !== this.#bytes) this.words[at] = this.#bytes;
    return tile;
  }

  #refuse(): never {
    throw new RingClosed(`every consumer of ring ${this.shared.shape.name} has closed`);
  }

  override setLength(stage: number, bytes: number): void {
    if (!Number.isInteger(bytes) || bytes < 0 || bytes > this.#bytes) {
      throw new RingMisuse(null, `the length of a tile is 0 to ${this.#bytes}, not ${bytes}`);
    }
    this.words[this.lengthAt(stage)] = bytes;
  }

  override release(stage: number): void {
    const given = this.turns.give(stage);
    if (given === DONE) this.count();
    else this.gave(given, stage);
  }

  protected override gave(given: Given, stage: number): void {
    super.gave(given, stage);
    if (given === Given.poisoned) throw this.shared.poisoned();
  }

  override cancel(stage: number): void {
    if (this.turns.unclaim(stage)) return;
    this.words[this.lengthAt(stage)] = SKIPPED;
    this.gave(this.turns.give(stage), stage);
  }

  override leave(stage: number): void {
    if (this.holds(stage)) this.fail('its scope was left before the tile was released');
  }
}
