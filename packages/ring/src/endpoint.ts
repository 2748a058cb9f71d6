// One end of a ring in one thread: takes stages in order, hands out tiles, and gives them on.
import { InputError, formatPosition, positionInStack } from '../../core/src/base/index.ts';
import { debtsWith, type Debts } from './deferred-wakeups.ts';
import { RingMisuse, RingTimeout, type RingSide } from './errors.ts';
import { Guard } from './guard.ts';
import { EndpointWord, LINE_TEXT_BYTES, STAGE_WORDS } from './layout.ts';
import { Patience } from './adaptive-spin.ts';
import { cpuCount, looksOf } from './policy/index.ts';
import { endpointClosed, endpointOpened, isRelay } from './middle-threads.ts';
import { fieldsOf, type Schema } from './schema.ts';
import type { Shared } from './shared.ts';
import { writeText } from './text.ts';
import { RingStage, type Holder } from './tile.ts';
import { Given, type Turns } from './sequencer.ts';
import { TurnsByCount } from './counter-sequencer.ts';
import { TurnsByStage } from './stage-sequencer.ts';
import { waitPhase, waitPhaseAsync, Woken } from './wait.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
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
  readonly #endpoint: Endpoint<S>;

  /** @internal */
  constructor(tiles: readonly RingStage<S>[], endpoint: Endpoint<S>) {
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

function said(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/**
 * What producers and consumers have in common. An endpoint belongs to one thread.
 *
 * @example
 * import { createRing, type Endpoint, type Schema } from 'poundlock/ring';
 *
 * const nameOf = <S extends Schema>(endpoint: Endpoint<S>) => `${endpoint.side} ${endpoint.role}`;
 * using producer = createRing({ stages: 2, bytes: 64 }).producer('reader');
 * console.log(nameOf(producer)); // producer reader
 */
export abstract class Endpoint<S extends Schema> implements Holder, Disposable {
  /** The side of the ring. */
  readonly side: RingSide;
  /** Its name in errors. */
  readonly role: string;
  /** Private memory beside the ring's, for fast copies: see {@link RingOptions.scratch}. */
  readonly scratch: Uint8Array<SharedArrayBuffer>;
  protected readonly shared: Shared;
  protected readonly words: Int32Array;
  protected readonly turns: Turns;
  protected readonly index: number;
  readonly #lengthsAt: number;
  readonly #rivals: number;
  protected isClosed = false;
  readonly #counts: Float64Array;
  readonly #countAt: number;
  readonly #tiles: RingStage<S>[];
  protected readonly patience: Patience;
  /** Wake-ups that are put off; `null` where none are. */
  protected readonly debts: Debts | null;
  readonly #guard: Guard | null;

  /** @internal */
  constructor(shared: Shared, side: RingSide, number: number, role: string, isAlone: boolean) {
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
    this.debts = isAuto && layout.isPair ? debtsWith(cpuCount()) : null;
    this.turns = layout.isPair
      ? new TurnsByCount(shared, side, this.index, this.debts)
      : new TurnsByStage(shared, side, this.index, isAlone);
    this.#rivals = isAlone ? 1 : isProducer ? shape.producers : shape.consumers;
    this.#lengthsAt = layout.lengths;
    const looks = looksOf(shape.policy, shape.threads);
    this.patience = new Patience(looks, isRelay, isAuto);
    endpointOpened(side);
    this.scratch = new Uint8Array(words.buffer, layout.scratch(this.index), shape.scratch);
    const Fields = fieldsOf<S>(shape.plan);
    this.#tiles = Array.from({ length: shape.stages }, (_, stage) => {
      const at = layout.payload(stage);
      return new RingStage<S>(stage, memory, at, shape.bytes, new Fields(memory, at), this);
    });
    this.#guard = shape.debug ? new Guard(shape.name, (at, line) => this.#leaked(at, line)) : null;
  }

  /** Takes the stage that has been waited for; `null` when another endpoint was faster. */
  protected claim(): RingStage<S> | null {
    const stage = this.turns.claim();
    if (stage < 0) return null;
    const tile = this.#tiles[stage]!;
    return this.#guard === null ? tile : this.#guarded(this.#guard, tile);
  }

  /** Waits until the next stage is ready; then it can be claimed. */
  protected waitSync(options: WaitOptions | undefined): Woken {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    try {
      return this.judge(
        waitPhase(this.words, this.turns.wanted(), this.patience, timeoutMs, this.debts),
        timeoutMs,
      );
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // What Atomics.wait throws in a browser's main thread.
      const who = `${this.side} ${this.role}`;
      throw new RingMisuse(null, `${who} can not block here: use acquire() (${error.message})`);
    }
  }

  /** As {@link waitSync}, without blocking the thread. */
  protected async wait(options: AsyncWaitOptions | undefined): Promise<Woken> {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    const { signal } = options ?? {};
    return this.judge(
      await waitPhaseAsync(this.words, this.turns.wanted(), timeoutMs, signal, this.debts),
      timeoutMs,
    );
  }

  /** Throws where a wait went wrong. */
  protected judge(woken: Woken, timeoutMs: number): Woken {
    if (woken === Woken.poisoned) throw this.shared.poisoned();
    if (woken !== Woken.timedOut) return woken;
    const wanted = this.side === 'producer' ? 'empty' : 'full';
    const who = `${this.side} ${this.role}`;
    const what = `${this.shared.shape.name}.${wanted}[${this.turns.stage}]`;
    throw new RingTimeout(who, what, timeoutMs);
  }

  /** Throws unless so many stages can be held at one time beside what others of this side hold. */
  protected requireBatch(count: number): void {
    const { stages, name } = this.shared.shape;
    const most = Math.floor(stages / this.#rivals);
    if (Number.isInteger(count) && count >= 1 && count <= most) return;
    throw new InputError(`a batch of ring ${name} has 1 to ${most} tiles, not ${count}`);
  }

  /** Poisons the ring with an error that leaves this endpoint's work. */
  protected failWith(error: unknown): void {
    const position = error instanceof Error ? positionInStack(error.stack) : undefined;
    const { stages, line } = this.shared.heldBy(this.index);
    const at = position === undefined ? line : formatPosition(position);
    this.shared.poison({ role: this.role, side: this.side, stages, line: at, cause: said(error) });
  }

  protected requireOpen(): void {
    if (!this.isClosed) return;
    throw new RingMisuse(null, `${this.side} ${this.role} of ${this.shared.shape.name} is closed`);
  }

  #guarded(guard: Guard, tile: RingStage<S>): RingStage<S> {
    const line = guard.newLine();
    if (line !== null) {
      const at = this.shared.layout.endpoint(this.index) + EndpointWord.line;
      writeText(this.words, at, LINE_TEXT_BYTES, line);
    }
    return guard.handle(tile);
  }

  #leaked(stage: number, line: string): void {
    const cause = `the handle of stage ${stage} was lost without a release`;
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
    const given = this.turns.giveAll(first.index, tiles.length);
    if (given === Given.done) return this.count(tiles.length);
    // One by one they tell which of them is not held.
    if (given === Given.notHeld) for (const tile of tiles) tile.release();
    this.gave(given, first.index);
  }

  /** What a release makes of its outcome. */
  protected gave(given: Given, stage: number): void {
    if (given === Given.notHeld) this.#refuse(stage);
  }

  /** One more item went through this endpoint. */
  protected count(items = 1): void {
    this.#counts[this.#countAt]! += items;
  }

  #refuse(stage: number): never {
    const { name } = this.shared.shape;
    throw new RingMisuse(
      'double-release',
      `${this.side} ${this.role} releases stage ${stage} of ring ${name}, which it does not hold`,
    );
  }

  /** Whether this endpoint holds a stage. */
  protected holds(stage: number): boolean {
    return this.turns.holds(stage);
  }

  /** Poisons the ring on behalf of this endpoint. */
  protected fail(cause: string): void {
    const { stages, line } = this.shared.heldBy(this.index);
    this.shared.poison({ role: this.role, side: this.side, stages, line, cause });
  }

  /**
   * Closes this endpoint. The other side ends when all endpoints of this side are closed.
   *
   * @throws RingMisuse if it still holds a stage; the ring is poisoned then.
   */
  close(): void {
    if (this.isClosed) return;
    this.debts?.pay();
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length > 0) {
      this.#end();
      this.fail('it closed without releasing what it held');
      const what = `${this.side} ${this.role} closes while it holds stage ${stages.join(', ')}`;
      throw new RingMisuse('leaked-stage', what);
    }
    this.#end();
    this.turns.withdraw();
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
    this.debts?.pay();
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length === 0) return this.close();
    this.#end();
    this.fail('its scope was left while it held a stage');
  }

  /** The word that says how much of a stage is used. */
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
  abstract leave(stage: number): void;
}
