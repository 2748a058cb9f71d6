// The producing end of a ring: acquires empty stages, fills them, and hands them over.
import { Outcome } from './barrier.ts';
import { Batch, Endpoint, type AsyncWaitOptions, type WaitOptions } from './endpoint.ts';
import { RingClosed, RingMisuse } from './errors.ts';
import { SKIPPED, StageWord } from './layout.ts';
import type { Schema } from './schema.ts';
import type { Shared } from './shared.ts';
import type { Tile } from './tile.ts';
import { waitPhase, waitPhaseAsync, Woken, type Wanted } from './wait.ts';

/** Fills stages. Made by {@link Ring.producer}; one thread's. */
export class Producer<S extends Schema = Schema> extends Endpoint<S> {
  readonly #bytes: number;
  readonly #lengths: Int32Array;

  constructor(shared: Shared, number: number, role: string) {
    const { producers, bytes } = shared.shape;
    super(shared, 'producer', number, role, producers === 1);
    this.#bytes = bytes;
    this.#lengths = this.signals.map((full) => full + StageWord.length);
  }

  /**
   * Blocks until the next stage is empty and answers it, to be filled and released.
   *
   * @throws RingPoisoned, RingTimeout, RingClosed when every consumer has closed.
   * @example
   * const tile = producer.acquireSync();
   * tile.fill(0);
   * tile.release();
   */
  acquireSync(options?: WaitOptions): Tile<S> {
    if (this.isAlone && this.isReady() && !this.isClosed) return this.#fresh(this.take());
    for (;;) {
      this.look();
      const tile = this.#taken(this.waitSync(options));
      if (tile !== null) return tile;
    }
  }

  /** As {@link acquireSync}, without blocking the thread. */
  async acquire(options?: AsyncWaitOptions): Promise<Tile<S>> {
    for (;;) {
      this.look();
      const tile = this.#taken(await this.wait(options));
      if (tile !== null) return tile;
    }
  }

  /** The next stage if it is empty now, else `undefined`. */
  tryAcquire(): Tile<S> | undefined {
    this.requireOpen();
    this.look();
    const failure = this.shared.failure();
    if (failure !== null) throw failure;
    const tile = this.isReady() ? this.claim() : null;
    return tile === null ? undefined : this.#fresh(tile);
  }

  /**
   * Blocks until the next `count` stages are empty and takes them together.
   */
  acquireBatchSync(count: number, options?: WaitOptions): Batch<S> {
    this.requireBatch(count);
    const tiles: Tile<S>[] = [];
    while (tiles.length < count) tiles.push(this.acquireSync(options));
    return new Batch(tiles);
  }

  /**
   * Calls `fill` with one tile after the other and hands each over, until it answers `false`: that
   * tile is given up. An error poisons the ring with its message and line, and is thrown on.
   */
  each(fill: (tile: Tile<S>, number: number) => boolean | void): void {
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

  /** Blocks until consumers have given back every stage that was handed over (R04). */
  drainSync(options: WaitOptions = {}): void {
    const { timeoutMs = this.shared.shape.timeoutMs } = options;
    for (const wanted of this.#laps()) {
      this.#drained(waitPhase(this.words, wanted, 0, timeoutMs), timeoutMs);
    }
  }

  /** As {@link drainSync}, without blocking the thread. */
  async drain(options: AsyncWaitOptions = {}): Promise<void> {
    const { timeoutMs = this.shared.shape.timeoutMs, signal } = options;
    for (const wanted of this.#laps()) {
      this.#drained(await waitPhaseAsync(this.words, wanted, timeoutMs, signal), timeoutMs);
    }
  }

  /** The waits of one lap from here on: after them, each stage that was filled has been emptied. */
  *#laps(): Generator<Wanted, void, void> {
    this.look();
    const first = this.stage;
    for (let count = 0; count < this.stages; count++) {
      const stage = (first + count) % this.stages;
      const phase = stage < first ? this.phase + 1 : this.phase;
      yield { at: this.waits[stage]!, phase, registerAt: -1, register: 0 };
    }
  }

  #drained(woken: Woken, timeoutMs: number): void {
    if (this.judge(woken, timeoutMs) !== Woken.passed) this.#refuse();
  }

  #taken(woken: Woken): Tile<S> | null {
    if (woken === Woken.ended) this.#refuse();
    const tile = woken === Woken.passed ? this.claim() : null;
    return tile === null ? null : this.#fresh(tile);
  }

  #fresh(tile: Tile<S>): Tile<S> {
    this.words[this.#lengths[tile.index]!] = this.#bytes;
    return tile;
  }

  #refuse(): never {
    throw new RingClosed(`every consumer of ring ${this.shared.shape.name} has closed`);
  }

  override setLength(stage: number, bytes: number): void {
    if (!Number.isInteger(bytes) || bytes < 0 || bytes > this.#bytes) {
      throw new RingMisuse(null, `the length of a tile is 0 to ${this.#bytes}, not ${bytes}`);
    }
    this.words[this.#lengths[stage]!] = bytes;
  }

  override release(stage: number): void {
    const outcome = this.giveOn(stage);
    if (outcome !== Outcome.done) throw this.shared.poisoned();
    this.count();
  }

  override cancel(stage: number): void {
    const newest = this.stage === 0 ? this.stages - 1 : this.stage - 1;
    if (this.isAlone && stage === newest && this.holds(stage)) {
      this.words[this.heldAt + stage] = 0;
      this.stage = newest;
      if (newest === this.stages - 1) this.phase--;
      return;
    }
    this.words[this.#lengths[stage]!] = SKIPPED;
    if (this.giveOn(stage) !== Outcome.done) throw this.shared.poisoned();
  }

  override leave(stage: number): void {
    if (this.holds(stage)) this.fail('its scope was left before the tile was released');
  }

  protected override withdraw(): void {}
}
