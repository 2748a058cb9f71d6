// One end of a ring in one thread: claims stages in order, returns tiles, and releases them.
import { InputError, option, optionTable, requireOptions } from '../../core/src/base/index.ts';
import type { OptionsOf, OptionTable } from '../../core/src/base/index.ts';
import { deferredWakeupsFor, type DeferredWakeups } from './deferred-wakeups.ts';
import { describeError } from './describe-error.ts';
import { RingMisuse, RingTimeout, type RingSide } from './errors.ts';
import { HandleGuard } from './guard.ts';
import { EndpointWord, LINE_TEXT_BYTES, STAGE_WORDS, WHOLE } from './layout.ts';
import { AdaptiveSpin } from './adaptive-spin.ts';
import { cpuCount, spinLimitsOf } from './policy/index.ts';
import { endpointClosed, endpointOpened, isMiddleThread } from './middle-threads.ts';
import { fieldsOf, type Schema } from './schema.ts';
import type { SharedState } from './shared.ts';
import { writeText } from './text.ts';
import { bindToThread } from './thread-bound.ts';
import { leaves } from './thread-end.ts';
import { RELEASE, RingStage, TileSlot, type TileOwner } from './tile.ts';
import { requireTimeLimit } from './time-limit.ts';
import { Turns } from './turns.ts';
import { ReleaseResult, type Sequencer } from './sequencer.ts';
import { CounterSequencer } from './counter-sequencer.ts';
import { StageSequencer } from './stage-sequencer.ts';
import { waitPhase, waitPhaseAsync, WaitResult, type WaitTarget } from './wait.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const LENGTH_STEP: number = STAGE_WORDS;
const UNSET: number = WHOLE;

/** Why a scope that was left without `end()` is a failure. */
export const LEFT_EARLY = 'its scope exited before end(), by an error or a return';

/** A number whose range is checked where it is used. */
const number = option.checkedLater<number>();

export const WAIT = optionTable({
  /** The longest wait in milliseconds, `Infinity` for no limit; the ring's own unless specified. */
  timeoutMs: number,
});

/** Options of operations that block. */
export interface WaitOptions extends OptionsOf<typeof WAIT> {}

export const ASYNC_WAIT = optionTable({
  ...WAIT.values,
  /** Ends the wait with the signal's reason. A blocked thread could not observe it. */
  signal: option.checkedLater<AbortSignal>(),
});

/** Options of operations that wait without blocking the thread. */
export interface AsyncWaitOptions extends OptionsOf<typeof ASYNC_WAIT> {}

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
  readonly #bytes: number;
  protected isClosed = false;
  readonly #counts: Float64Array;
  readonly #countAt: number;
  readonly #slots: TileSlot<S>[];
  protected readonly spin: AdaptiveSpin;
  /** Wake-ups that are put off; `null` where none are. */
  protected readonly wakeups: DeferredWakeups | null;
  readonly #guard: HandleGuard | null;
  readonly #turns = new Turns();
  #isFinished = false;

  /** @internal */
  constructor(shared: SharedState, side: RingSide, index: number, role: string, isSole: boolean) {
    const { shape, layout, memory, words } = shared;
    this.shared = shared;
    this.side = side;
    this.role = role;
    this.words = words;
    this.index = index;
    this.#counts = shared.counts;
    this.#countAt = shared.itemsAt(this.index);
    const isAuto = shape.policy === 'auto';
    this.wakeups = isAuto && layout.isPair ? deferredWakeupsFor(cpuCount()) : null;
    this.sequencer = layout.isPair
      ? new CounterSequencer(shared, side, this.index, this.wakeups)
      : new StageSequencer(shared, side, this.index, isSole);
    this.#lengthsAt = layout.lengths;
    this.#bytes = shape.bytes;
    const limits = spinLimitsOf(shape.policy, shape.threads);
    this.spin = new AdaptiveSpin(limits, isMiddleThread, isAuto);
    endpointOpened(side);
    this.scratch = new Uint8Array(words.buffer, layout.scratch(this.index), shape.scratch);
    const Fields = fieldsOf<S>(shape.payload);
    this.#slots = Array.from({ length: shape.stages }, (_, stage) => {
      const at = layout.payload(stage);
      const bytes = new Uint8Array(memory.buffer, at, shape.bytes);
      return new TileSlot<S>(stage, memory, bytes, new Fields(memory, at), this);
    });
    this.#guard = shape.debug
      ? new HandleGuard(shape.name, (at, line) => this.#leaked(at, line))
      : null;
    bindToThread(this);
  }

  /**
   * Takes the stage that has been waited for; `null` when another endpoint was faster, or when
   * {@link prepare} refused it.
   */
  protected claim(): RingStage<S> | null {
    const stage = this.sequencer.claim();
    return stage < 0 || !this.prepare(stage) ? null : this.#handle(stage);
  }

  /** Prepares a stage that was claimed for its handle; `false` if it gets none. */
  protected abstract prepare(stage: number): boolean;

  #handle(stage: number): RingStage<S> {
    const tile = new RingStage<S>(this.#slots[stage]!);
    return this.#guard === null ? tile : this.#guarded(this.#guard, tile);
  }

  /**
   * Takes `count` stages at once that have been waited for; those that a dead thread left come
   * first. `null` when another endpoint was faster.
   */
  protected claimAll(count: number): RingStage<S>[] | null {
    const { sequencer } = this;
    const fresh = Math.max(0, count - sequencer.inherited);
    let stage = fresh === 0 ? 0 : sequencer.claimAll(fresh);
    if (stage < 0) return null;
    const { stages } = this.shared.shape;
    const tiles: RingStage<S>[] = [];
    const add = (one: number): void => {
      if (this.prepare(one)) tiles.push(this.#handle(one));
    };
    for (let left = count - fresh; left > 0; left--) add(sequencer.claim());
    for (let left = fresh; left > 0; left--) {
      add(stage);
      stage = stage + 1 === stages ? 0 : stage + 1;
    }
    return tiles;
  }

  /** The time limit of a wait. */
  protected limitOf(options: WaitOptions | undefined, table: OptionTable = WAIT): number {
    if (options !== undefined) requireOptions('a wait', table, options);
    const timeoutMs = options?.timeoutMs;
    if (timeoutMs === undefined) return this.shared.shape.timeoutMs;
    requireTimeLimit('timeoutMs', timeoutMs);
    return timeoutMs;
  }

  /**
   * Waits until the next stage after `ahead` others is ready, until `deadline` at most; −1 starts
   * the time now. Returns how the wait ended.
   */
  protected waitSync(limitMs: number, deadline = -1, ahead = 0): WaitResult {
    this.requireOpen();
    const leftMs = deadline < 0 ? limitMs : Math.max(0, deadline - performance.now());
    const target = this.sequencer.waitTarget(ahead);
    return this.blockFor(target, leftMs, limitMs);
  }

  /** Blocks until a wait has passed or ended. */
  protected blockFor(target: WaitTarget, leftMs: number, limitMs: number): WaitResult {
    try {
      const result = waitPhase(this.words, target, this.spin, leftMs, this.wakeups);
      return this.checkWait(result, limitMs);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // Atomics.wait throws this in a browser's main thread.
      const endpoint = `${this.side} ${this.role}`;
      const instead = this.side === 'producer' ? 'acquire() or drain()' : 'acquire()';
      throw new RingMisuse(
        null,
        `${endpoint} cannot block here: use ${instead} (${error.message})`,
      );
    }
  }

  /**
   * Calls `attempt` until it returns something else than `null`, waiting for the next stage in
   * between without blocking the thread. `attempt` gets whether the other side has ended. Several
   * waits of one endpoint get their stages in the order in which they began.
   */
  protected async wait<T>(
    options: AsyncWaitOptions | undefined,
    attempt: (isEnded: boolean) => T | null,
  ): Promise<T> {
    this.requireOpen();
    const limitMs = this.limitOf(options, ASYNC_WAIT);
    const signal = options?.signal;
    signal?.throwIfAborted();
    if (!this.#turns.isTaken) {
      this.sequencer.refresh();
      const found = this.sequencer.isReady() ? attempt(false) : null;
      if (found !== null) return found;
    }
    const deadline = performance.now() + limitMs;
    if (!(await this.#turns.enter(limitMs, signal))) this.#throwTimeout(limitMs);
    try {
      for (;;) {
        this.requireOpen();
        this.sequencer.refresh();
        if (this.sequencer.isReady()) {
          const found = attempt(false);
          if (found !== null) return found;
          continue;
        }
        const target = { ...this.sequencer.waitTarget(0) };
        const leftMs = Math.max(0, deadline - performance.now());
        const result = await waitPhaseAsync(this.words, target, leftMs, signal, this.wakeups);
        if (result === WaitResult.poisoned) throw await this.shared.poisonedAsync();
        // Meanwhile a call that blocks may have taken what was waited for.
        this.checkWait(result, limitMs);
        const found = result === WaitResult.ended ? attempt(true) : null;
        if (found !== null) return found;
      }
    } finally {
      this.#turns.leave();
    }
  }

  /** Throws if a wait failed or timed out. */
  protected checkWait(result: WaitResult, limitMs: number): WaitResult {
    if (result === WaitResult.poisoned) throw this.shared.poisoned();
    if (result === WaitResult.timedOut) this.#throwTimeout(limitMs);
    return result;
  }

  #throwTimeout(limitMs: number): never {
    const barrier = this.side === 'producer' ? 'empty' : 'full';
    const endpoint = `${this.side} ${this.role}`;
    const what = `${this.shared.shape.name}.${barrier}[${this.sequencer.stage}]`;
    throw new RingTimeout(endpoint, what, limitMs);
  }

  /** Throws unless a batch has a number of stages that the ring has. */
  protected requireBatch(countItems: number): void {
    const { stages, name } = this.shared.shape;
    if (Number.isInteger(countItems) && countItems >= 1 && countItems <= stages) return;
    throw new InputError(`a batch of ring ${name} has 1 to ${stages} tiles, not ${countItems}`);
  }

  /**
   * Poisons the ring: every wait of every thread ends with a {@link RingPoisoned} that has the
   * message and the line of `error`. The endpoint is closed.
   *
   * @example
   * import { createRing } from 'poundlock/ring';
   *
   * const ring = createRing({ stages: 2, bytes: 64 });
   * const consumer = ring.consumer();
   * ring.producer('reader').fail(new Error('the file ended early'));
   * console.log(ring.failure?.cause); // Error: the file ended early
   */
  fail(error: unknown): void {
    if (this.isClosed) return;
    this.wakeups?.flush();
    this.#end();
    const { stages, line } = this.shared.heldBy(this.index);
    const { cause, line: at } = describeError(error);
    const failure = { role: this.role, side: this.side, stages, line: at ?? line, cause };
    this.shared.poison(failure);
    this.shared.explain(this.index, failure);
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
    if (this.#guard !== null || !this.#areInOrder(tiles)) {
      for (const tile of tiles) if (!tile.isCanceled) tile.release();
      return;
    }
    for (const tile of tiles) tile.endLife();
    const result = this.sequencer.releaseAll(first.index, tiles.length);
    if (result === ReleaseResult.done) return this.count(tiles.length);
    this.checkRelease(result, first.index);
  }

  /** Whether these are handles of stages that follow each other, and all of them are held. */
  #areInOrder(tiles: readonly RingStage<S>[]): boolean {
    const { stages } = this.shared.shape;
    let expected = tiles[0]!.index;
    for (const { index, isCurrent } of tiles) {
      if (index !== expected || !isCurrent) return false;
      expected = index + 1 === stages ? 0 : index + 1;
    }
    return true;
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
      `${this.side} ${this.role} releases stage ${stage} of ring ${name}, ` +
        'which its handle does not hold',
    );
  }

  /**
   * Throws: the handle of a stage is used after its release.
   *
   * @internal
   */
  throwStale(stage: number, use: string): never {
    if (use === RELEASE) this.#throwDoubleRelease(stage);
    const { name } = this.shared.shape;
    throw new RingMisuse(
      'use-after-release',
      `${this.side} ${this.role} uses (${use}) a handle of stage ${stage} of ring ${name} ` +
        'that it has released',
    );
  }

  /** Whether this endpoint holds a stage. */
  protected holds(stage: number): boolean {
    return this.sequencer.holds(stage);
  }

  /**
   * Poisons the ring on behalf of this endpoint. `isExact`: no error can be on its way that says
   * more.
   */
  protected poison(cause: string, isExact: boolean): void {
    if (!isExact && this.shared.shape.afterDeath === 'restart') {
      // Another endpoint goes on from here; a stage whose scope exited stays held until then.
      if (!this.isClosed) return;
      // From here on its handles must not touch what the next endpoint holds.
      for (const slot of this.#slots) slot.afterRelease = null;
      this.shared.endpointDied(this.index, cause, null, true);
      return;
    }
    const { stages, line } = this.shared.heldBy(this.index);
    const failure = { role: this.role, side: this.side, stages, line, cause };
    this.shared.poison(failure, isExact ? null : this.index);
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
    this.#end();
    if (stages.length > 0) {
      this.poison('it was closed without releasing its stages', true);
      const what = `${this.side} ${this.role} closes while it holds stage ${stages.join(', ')}`;
      throw new RingMisuse('leaked-stage', what);
    }
    this.finish();
  }

  /** Gives up the place of this endpoint, which will not be used any more. */
  protected finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.sequencer.withdraw();
    this.shared.places.close(this.index);
    leaves(this.shared, this.index);
  }

  #end(): void {
    this.isClosed = true;
    endpointClosed(this.side);
  }

  /**
   * The end of a scope, without an error of its own, so that one that is being thrown is not
   * hidden. A producer that has not ended its stream, and an endpoint that holds a stage, poison
   * the ring: what is there may be half of it.
   */
  [Symbol.dispose](): void {
    if (this.isClosed) return;
    this.wakeups?.flush();
    const cause = this.scopeFailure(this.shared.heldBy(this.index).stages.length > 0);
    if (cause === null) return this.close();
    this.#end();
    this.poison(cause, false);
  }

  /**
   * The scope of several endpoints was left without their end.
   *
   * @internal
   */
  leaveTogether(): void {
    if (this.isClosed) return;
    this.wakeups?.flush();
    this.#end();
    this.poison(LEFT_EARLY, false);
  }

  /** Why leaving the scope of this endpoint now is a failure, or `null`. */
  protected scopeFailure(holds: boolean): string | null {
    return holds ? 'its scope exited while it held a stage' : null;
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
    const length = this.words[this.lengthAt(stage)]!;
    return length === UNSET ? this.#bytes : length;
  }

  /**
   * Counts bytes that were copied into a stage as used, up to `end`.
   *
   * @internal
   */
  abstract growLength(stage: number, end: number): void;

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
  abstract endScope(tile: Pick<RingStage<S>, 'index' | 'release'>): void;
}
