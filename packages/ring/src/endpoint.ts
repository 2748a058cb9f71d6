// One end of a ring in one thread: claims stages in order, returns tiles, and releases them.
import { InputError, formatPosition, positionInStack } from '../../core/src/base/index.ts';
import { deferredWakeupsFor, type DeferredWakeups } from './deferred-wakeups.ts';
import { RingMisuse, RingTimeout, type RingSide } from './errors.ts';
import { HandleGuard } from './guard.ts';
import { EndpointWord, LINE_TEXT_BYTES, STAGE_WORDS } from './layout.ts';
import { AdaptiveSpin } from './adaptive-spin.ts';
import { cpuCount, spinLimitsOf } from './policy/index.ts';
import { endpointClosed, endpointOpened, isMiddleThread } from './middle-threads.ts';
import { fieldsOf, type Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import { writeText } from './text.ts';
import { RingStage, type TileOwner } from './tile.ts';
import { ReleaseResult, type Sequencer } from './sequencer.ts';
import { CounterSequencer } from './counter-sequencer.ts';
import { StageSequencer } from './stage-sequencer.ts';
import { waitPhase, waitPhaseAsync, WaitResult } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const LENGTH_STEP: number = STAGE_WORDS;

/** Options of operations that block. */
export interface WaitOptions {
  /** The longest wait in milliseconds, `Infinity` for no limit; the ring's own unless specified. */
  readonly timeoutMs?: number;
}

/** Options of operations that wait without blocking the thread. */
export interface AsyncWaitOptions extends WaitOptions {
  /** Ends the wait with the signal's reason. A blocked thread could not observe it. */
  readonly signal?: AbortSignal;
}

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

  /** Releases every stage, in order. */
  release(): void {
    this.#endpoint.releaseAll(this.tiles);
  }

  /** Ends the scope of every stage: see {@link RingStage}. */
  [Symbol.dispose](): void {
    for (const tile of this.tiles) tile[Symbol.dispose]();
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * What producers and consumers have in common. An endpoint belongs to one thread.
 *
 * @example
 * import { createRing, type RingEndpoint, type Schema } from 'poundlock/ring';
 *
 * const nameOf = <S extends Schema>({ side, role }: RingEndpoint<S>) => `${side} ${role}`;
 * using producer = createRing({ stages: 2, bytes: 64 }).producer('reader');
 * console.log(nameOf(producer)); // producer reader
 */
export abstract class RingEndpoint<S extends Schema> implements TileOwner, Disposable {
  /** The side of the ring. */
  readonly side: RingSide;
  /** Its name in errors. */
  readonly role: string;
  /** Private memory beside the ring's, for fast copies: see {@link RingOptions.scratch}. */
  readonly scratch: Uint8Array<SharedArrayBuffer>;
  protected readonly shared: SharedState;
  protected readonly words: Int32Array;
  protected readonly sequencer: Sequencer;
  protected readonly index: number;
  readonly #lengthsAt: number;
  readonly #endpointsOfSide: number;
  protected isClosed = false;
  readonly #counts: Float64Array;
  readonly #countAt: number;
  readonly #tiles: RingStage<S>[];
  protected readonly spin: AdaptiveSpin;
  /** Wake-ups that are put off; `null` where none are. */
  protected readonly wakeups: DeferredWakeups | null;
  readonly #guard: HandleGuard | null;

  /** @internal */
  constructor(shared: SharedState, side: RingSide, number: number, role: string, isSole: boolean) {
    const { shape, layout, memory, words } = shared;
    const isProducer = side === 'producer';
    this.shared = shared;
    this.side = side;
    this.role = role;
    this.words = words;
    this.index = shared.indexOf(side, number);
    this.#counts = shared.counts;
    this.#countAt = shared.itemsAt(this.index);
    const isAuto = shape.policy === 'auto';
    this.wakeups = isAuto && layout.isPair ? deferredWakeupsFor(cpuCount()) : null;
    this.sequencer = layout.isPair
      ? new CounterSequencer(shared, side, this.index, this.wakeups)
      : new StageSequencer(shared, side, this.index, isSole);
    this.#endpointsOfSide = isSole ? 1 : isProducer ? shape.producers : shape.consumers;
    this.#lengthsAt = layout.lengths;
    const limits = spinLimitsOf(shape.policy, shape.threads);
    this.spin = new AdaptiveSpin(limits, isMiddleThread, isAuto);
    endpointOpened(side);
    this.scratch = new Uint8Array(words.buffer, layout.scratch(this.index), shape.scratch);
    const Fields = fieldsOf<S>(shape.payload);
    this.#tiles = Array.from({ length: shape.stages }, (_, stage) => {
      const at = layout.payload(stage);
      return new RingStage<S>(stage, memory, at, shape.bytes, new Fields(memory, at), this);
    });
    this.#guard = shape.debug
      ? new HandleGuard(shape.name, (at, line) => this.#leaked(at, line))
      : null;
  }

  /** Takes the stage that has been waited for; `null` when another endpoint was faster. */
  protected claim(): RingStage<S> | null {
    const stage = this.sequencer.claim();
    if (stage < 0) return null;
    const tile = this.#tiles[stage]!;
    return this.#guard === null ? tile : this.#guarded(this.#guard, tile);
  }

  /** Waits until the next stage is ready; then it can be claimed. */
  protected waitSync(options: WaitOptions | undefined): WaitResult {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    try {
      return this.checkWait(
        waitPhase(this.words, this.sequencer.waitTarget(), this.spin, timeoutMs, this.wakeups),
        timeoutMs,
      );
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // Atomics.wait throws this in a browser's main thread.
      const endpoint = `${this.side} ${this.role}`;
      throw new RingMisuse(null, `${endpoint} cannot block here: use acquire() (${error.message})`);
    }
  }

  /** As {@link waitSync}, without blocking the thread. */
  protected async wait(options: AsyncWaitOptions | undefined): Promise<WaitResult> {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    const { signal } = options ?? {};
    return this.checkWait(
      await waitPhaseAsync(
        this.words,
        this.sequencer.waitTarget(),
        timeoutMs,
        signal,
        this.wakeups,
      ),
      timeoutMs,
    );
  }

  /** Throws if a wait failed or timed out. */
  protected checkWait(result: WaitResult, timeoutMs: number): WaitResult {
    if (result === WaitResult.poisoned) throw this.shared.poisoned();
    if (result !== WaitResult.timedOut) return result;
    const barrier = this.side === 'producer' ? 'empty' : 'full';
    const endpoint = `${this.side} ${this.role}`;
    const what = `${this.shared.shape.name}.${barrier}[${this.sequencer.stage}]`;
    throw new RingTimeout(endpoint, what, timeoutMs);
  }

  /** Throws unless every endpoint of this side can hold so many stages at the same time. */
  protected requireBatch(countItems: number): void {
    const { stages, name } = this.shared.shape;
    const most = Math.floor(stages / this.#endpointsOfSide);
    if (Number.isInteger(countItems) && countItems >= 1 && countItems <= most) return;
    throw new InputError(`a batch of ring ${name} has 1 to ${most} tiles, not ${countItems}`);
  }

  /** Poisons the ring with an error thrown while this endpoint held a stage. */
  protected failWith(error: unknown): void {
    const position = error instanceof Error ? positionInStack(error.stack) : undefined;
    const { stages, line } = this.shared.heldBy(this.index);
    const at = position === undefined ? line : formatPosition(position);
    this.shared.poison({
      role: this.role,
      side: this.side,
      stages,
      line: at,
      cause: describeError(error),
    });
  }

  protected requireOpen(): void {
    if (!this.isClosed) return;
    throw new RingMisuse(null, `${this.side} ${this.role} of ${this.shared.shape.name} is closed`);
  }

  #guarded(guard: HandleGuard, tile: RingStage<S>): RingStage<S> {
    const line = guard.recordAcquire();
    if (line !== null) {
      const at = this.shared.layout.endpoint(this.index) + EndpointWord.line;
      writeText(this.words, at, LINE_TEXT_BYTES, line);
    }
    return guard.handle(tile);
  }

  #leaked(stage: number, line: string): void {
    const cause = `the handle of stage ${stage} was garbage-collected without a release`;
    const { role, side } = this;
    this.shared.poison({ role, side, stages: [stage], line, cause });
  }

  /**
   * Releases stages with one signal where possible.
   *
   * @internal
   */
  releaseAll(tiles: readonly RingStage<S>[]): void {
    const [first] = tiles;
    if (first === undefined) return;
    const { stages } = this.shared.shape;
    const isInOrder = tiles.every(({ index }, at) => index === (first.index + at) % stages);
    if (this.#guard !== null || !isInOrder || first.index + tiles.length > stages) {
      for (const tile of tiles) tile.release();
      return;
    }
    const result = this.sequencer.releaseAll(first.index, tiles.length);
    if (result === ReleaseResult.done) return this.count(tiles.length);
    // Releasing them one by one reports the stage that is not held.
    if (result === ReleaseResult.notHeld) for (const tile of tiles) tile.release();
    this.checkRelease(result, first.index);
  }

  /** Throws if a release failed. */
  protected checkRelease(result: ReleaseResult, stage: number): void {
    if (result === ReleaseResult.notHeld) this.#throwDoubleRelease(stage);
  }

  /** Counts items that passed through this endpoint. */
  protected count(items = 1): void {
    this.#counts[this.#countAt]! += items;
  }

  #throwDoubleRelease(stage: number): never {
    const { name } = this.shared.shape;
    throw new RingMisuse(
      'double-release',
      `${this.side} ${this.role} releases stage ${stage} of ring ${name}, which it does not hold`,
    );
  }

  /** Whether this endpoint holds a stage. */
  protected holds(stage: number): boolean {
    return this.sequencer.holds(stage);
  }

  /** Poisons the ring on behalf of this endpoint. */
  protected fail(cause: string): void {
    const { stages, line } = this.shared.heldBy(this.index);
    this.shared.poison({ role: this.role, side: this.side, stages, line, cause });
  }

  /**
   * Closes this endpoint. The other side ends when all endpoints of this side are closed.
   *
   * @throws RingMisuse when it still holds a stage; the ring is poisoned, since the stage cannot be
   * recovered.
   */
  close(): void {
    if (this.isClosed) return;
    this.wakeups?.flush();
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length > 0) {
      this.#end();
      this.fail('it was closed without releasing its stages');
      const what = `${this.side} ${this.role} closes while it holds stage ${stages.join(', ')}`;
      throw new RingMisuse('leaked-stage', what);
    }
    this.#end();
    this.sequencer.withdraw();
    this.shared.close(this.index);
  }

  #end(): void {
    this.isClosed = true;
    endpointClosed(this.side);
  }

  /**
   * The end of a scope: as {@link close}, but without an error of its own, so that one that is
   * being thrown is not hidden.
   */
  [Symbol.dispose](): void {
    if (this.isClosed) return;
    this.wakeups?.flush();
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length === 0) return this.close();
    this.#end();
    this.fail('its scope exited while it held a stage');
  }

  /** The word with the used bytes of a stage. */
  protected lengthAt(stage: number): number {
    return this.#lengthsAt + stage * LENGTH_STEP;
  }

  /**
   * The used bytes of a stage.
   *
   * @internal
   */
  getLength(stage: number): number {
    return this.words[this.lengthAt(stage)]!;
  }

  /**
   * Sets the used bytes of a stage.
   *
   * @internal
   */
  abstract setLength(stage: number, bytes: number): void;
  /**
   * Releases a stage.
   *
   * @internal
   */
  abstract release(stage: number): void;
  /**
   * Gives up a stage.
   *
   * @internal
   */
  abstract cancel(stage: number): void;
  /**
   * Ends the scope of a stage.
   *
   * @internal
   */
  abstract endScope(stage: number): void;
}
