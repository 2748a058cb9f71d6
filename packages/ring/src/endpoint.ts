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

export interface WaitOptions {
  /** How long to wait; the ring's own time-out unless given, `Infinity` for ever. */
  readonly timeoutMs?: number;
}

export interface AsyncWaitOptions extends WaitOptions {
  /** Ends the wait with its reason. A thread that blocks can not see one: only async waits can. */
  readonly signal?: AbortSignal;
}

/** Tiles that were acquired together and are released together. */
export class Batch<S extends Schema> implements Iterable<RingStage<S>>, Disposable {
  readonly tiles: readonly RingStage<S>[];
  readonly #endpoint: RingEndpoint<S>;

  constructor(tiles: readonly RingStage<S>[], endpoint: RingEndpoint<S>) {
    this.tiles = tiles;
    this.#endpoint = endpoint;
  }

  get length(): number {
    return this.tiles.length;
  }

  [Symbol.iterator](): Iterator<RingStage<S>> {
    return this.tiles[Symbol.iterator]();
  }

  /** Hands every tile on, in order. */
  release(): void {
    this.#endpoint.releaseAll(this.tiles);
  }

  [Symbol.dispose](): void {
    for (const tile of this.tiles) tile[Symbol.dispose]();
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What producers and consumers have in common. Not thread-safe: an endpoint is one thread's. */
export abstract class RingEndpoint<S extends Schema> implements TileOwner, Disposable {
  readonly side: RingSide;
  readonly role: string;
  /** Room in the ring's own memory, for copies at the speed of memory; see `scratch`. */
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
  /** Deferred wake-ups; `null` where none are deferred. */
  protected readonly wakeups: DeferredWakeups | null;
  readonly #guard: HandleGuard | null;

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

  /** Claims the stage that was waited for; `null` when another endpoint was faster. */
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

  /** Releases each tile; outside debug mode with one signal. */
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
   * Says that this endpoint is done. Its side ends when all of its endpoints are.
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

  /** The end of a scope: as {@link close}, but does not replace an exception in flight. */
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

  getLength(stage: number): number {
    return this.words[this.lengthAt(stage)]!;
  }

  abstract setLength(stage: number, bytes: number): void;
  abstract release(stage: number): void;
  abstract cancel(stage: number): void;
  abstract endScope(stage: number): void;
}
