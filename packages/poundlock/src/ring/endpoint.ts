// One end of a ring in one thread: takes stages in order, hands out tiles, and gives them on.
import { InputError, formatPosition, positionInStack } from '../base/index.ts';
import { arrive, passes, type Outcome } from './barrier.ts';
import { RingMisuse, RingTimeout, type RingSide } from './errors.ts';
import { Guard } from './guard.ts';
import { EndpointWord, Header, LINE_TEXT_BYTES, StageWord } from './layout.ts';
import { looksOf } from './policy/index.ts';
import { fieldsOf, type Schema } from './schema.ts';
import type { Shared } from './shared.ts';
import { writeText } from './text.ts';
import { Tile, type Holder } from './tile.ts';
import { waitPhase, waitPhaseAsync, Woken, type Wanted } from './wait.ts';
import { POISON } from './word.ts';

export interface WaitOptions {
  /** How long to wait; the ring's own time-out unless given, `Infinity` for ever. */
  readonly timeoutMs?: number;
}

export interface AsyncWaitOptions extends WaitOptions {
  /** Ends the wait with its reason. A thread that blocks can not see one: only async waits can. */
  readonly signal?: AbortSignal;
}

/** Tiles that were acquired together and are released together. */
export class Batch<S extends Schema> implements Iterable<Tile<S>>, Disposable {
  readonly tiles: readonly Tile<S>[];
  constructor(tiles: readonly Tile<S>[]) {
    this.tiles = tiles;
  }

  get length(): number {
    return this.tiles.length;
  }

  [Symbol.iterator](): Iterator<Tile<S>> {
    return this.tiles[Symbol.iterator]();
  }

  /** Hands every tile on, in order. */
  release(): void {
    for (let at = 0; at < this.tiles.length; at++) this.tiles[at]!.release();
  }

  [Symbol.dispose](): void {
    for (const tile of this.tiles) tile[Symbol.dispose]();
  }
}

function said(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What producers and consumers have in common. Not thread-safe: an endpoint is one thread's. */
export abstract class Endpoint<S extends Schema> implements Holder, Disposable {
  readonly side: RingSide;
  readonly role: string;
  /** Room in the ring's own memory, for copies at the speed of memory; see `scratch`. */
  readonly scratch: Uint8Array<SharedArrayBuffer>;
  protected readonly shared: Shared;
  protected readonly words: Int32Array;
  protected readonly stages: number;
  /** The word of the barrier that this side waits for, and of the one it signals, by stage. */
  protected readonly waits: Int32Array;
  protected readonly signals: Int32Array;
  /** Whether no other endpoint takes stages of this side: then the register is this object's. */
  protected readonly isAlone: boolean;
  protected readonly index: number;
  protected stage = 0;
  /** The phase that the next wait wants (R02). */
  protected phase: number;
  protected isClosed = false;
  protected readonly heldAt: number;
  readonly #counts: Float64Array;
  readonly #countAt: number;
  readonly #tiles: Tile<S>[];
  readonly #looks: number;
  readonly #guard: Guard | null;
  readonly #registerAt: number;
  readonly #wanted: Wanted;

  constructor(shared: Shared, side: RingSide, number: number, role: string, isAlone: boolean) {
    const { shape, layout, memory, words } = shared;
    const isProducer = side === 'producer';
    this.shared = shared;
    this.side = side;
    this.role = role;
    this.words = words;
    this.stages = shape.stages;
    this.index = shared.indexOf(side, number);
    this.phase = isProducer ? -1 : 0;
    this.isAlone = isAlone;
    this.heldAt = layout.endpoint(this.index) + EndpointWord.held;
    this.#counts = shared.counts;
    this.#countAt = shared.itemsAt(this.index);
    this.#registerAt = isProducer ? Header.producerRegister : Header.consumerRegister;
    const registerAt = isAlone ? -1 : this.#registerAt;
    this.#wanted = { at: 0, phase: 0, registerAt, register: 0 };
    const full = Int32Array.from({ length: shape.stages }, (_, stage) => layout.full(stage));
    const empty = Int32Array.from({ length: shape.stages }, (_, stage) => layout.empty(stage));
    this.waits = isProducer ? empty : full;
    this.signals = isProducer ? full : empty;
    this.#looks = looksOf(shape.policy, shape.threads);
    this.scratch = new Uint8Array(words.buffer, layout.scratch(this.index), shape.scratch);
    const Fields = fieldsOf<S>(shape.plan);
    this.#tiles = Array.from({ length: shape.stages }, (_, stage) => {
      const at = layout.payload(stage);
      return new Tile<S>(stage, memory, at, shape.bytes, new Fields(memory, at), this);
    });
    this.#guard = shape.debug ? new Guard(shape.name, (at, line) => this.#leaked(at, line)) : null;
  }

  /** Whether the next stage could be taken now. */
  protected isReady(): boolean {
    const seen = Atomics.load(this.words, this.waits[this.stage]!);
    return (seen & POISON) === 0 && passes(seen, this.phase);
  }

  /** Takes the stage that is ready, for an endpoint that is alone on its side. */
  protected take(): Tile<S> {
    const { stage } = this;
    this.words[this.heldAt + stage] = 1;
    if (stage + 1 === this.stages) {
      this.stage = 0;
      this.phase = (this.phase + 1) | 0;
    } else this.stage = stage + 1;
    const tile = this.#tiles[stage]!;
    return this.#guard === null ? tile : this.#guarded(tile);
  }

  /** Takes a stage that has been waited for; `null` when another endpoint was faster. */
  protected claim(): Tile<S> | null {
    if (this.isAlone) return this.take();
    const { stage, phase } = this;
    const lap = (phase + (this.side === 'producer' ? 1 : 0)) & 0xffff;
    const last = stage + 1 === this.stages;
    const next = last ? ((lap + 1) & 0xffff) << 16 : (lap << 16) | (stage + 1);
    const seen = (lap << 16) | stage;
    const { words } = this;
    return Atomics.compareExchange(words, this.#registerAt, seen, next) === seen
      ? this.take()
      : null;
  }

  /** Moves to the stage that the shared register stands at. */
  protected look(): void {
    if (this.isAlone) return;
    const register = Atomics.load(this.words, this.#registerAt);
    this.stage = register & 0xffff;
    this.phase = (register >>> 16) - (this.side === 'producer' ? 1 : 0);
    this.#wanted.register = register;
  }

  /** Waits until the next stage is ready; then it can be claimed. */
  protected waitSync(options: WaitOptions | undefined): Woken {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    return this.judge(waitPhase(this.words, this.#next(), this.#looks, timeoutMs), timeoutMs);
  }

  /** As {@link waitSync}, without blocking the thread. */
  protected async wait(options: AsyncWaitOptions | undefined): Promise<Woken> {
    this.requireOpen();
    const timeoutMs = options?.timeoutMs ?? this.shared.shape.timeoutMs;
    const { signal } = options ?? {};
    return this.judge(await waitPhaseAsync(this.words, this.#next(), timeoutMs, signal), timeoutMs);
  }

  #next(): Wanted {
    this.#wanted.at = this.waits[this.stage]!;
    this.#wanted.phase = this.phase;
    return this.#wanted;
  }

  /** Throws where a wait went wrong. */
  protected judge(woken: Woken, timeoutMs: number, stage = this.stage): Woken {
    if (woken === Woken.poisoned) throw this.shared.poisoned();
    if (woken !== Woken.timedOut) return woken;
    const wanted = this.side === 'producer' ? 'empty' : 'full';
    const who = `${this.side} ${this.role}`;
    throw new RingTimeout(who, `${this.shared.shape.name}.${wanted}[${stage}]`, timeoutMs);
  }

  /** Throws unless so many stages can be held at one time beside what others of this side hold. */
  protected requireBatch(count: number): void {
    const { producers, consumers, stages, name } = this.shared.shape;
    const rivals = this.isAlone ? 1 : this.side === 'producer' ? producers : consumers;
    const most = Math.floor(stages / rivals);
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

  #guarded(tile: Tile<S>): Tile<S> {
    const line = this.#guard!.line();
    const at = this.shared.layout.endpoint(this.index) + EndpointWord.line;
    writeText(this.words, at, LINE_TEXT_BYTES, line);
    return this.#guard!.handle(tile, line);
  }

  #leaked(stage: number, line: string): void {
    const cause = `the handle of stage ${stage} was lost without a release`;
    const { role, side } = this;
    this.shared.poison({ role, side, stages: [stage], line, cause });
  }

  /** Ends the holding of a stage and signals the other side. */
  protected giveOn(stage: number): Outcome {
    if (this.words[this.heldAt + stage] !== 1) this.#refuse(stage);
    this.words[this.heldAt + stage] = 0;
    return arrive(this.words, this.signals[stage]!, 1, 1, 0);
  }

  /** One more item went through this endpoint. */
  protected count(): void {
    this.#counts[this.#countAt]! += 1;
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
    return this.words[this.heldAt + stage] === 1;
  }

  /** Poisons the ring on behalf of this endpoint. */
  protected fail(cause: string): void {
    const { stages, line } = this.shared.heldBy(this.index);
    this.shared.poison({ role: this.role, side: this.side, stages, line, cause });
  }

  /**
   * Says that this endpoint is done. Its side ends when all of its endpoints are.
   *
   * @throws RingMisuse when it still holds a stage; the ring is poisoned, since nobody can get it.
   */
  close(): void {
    if (this.isClosed) return;
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length > 0) {
      this.isClosed = true;
      this.fail('it closed without releasing what it held');
      const what = `${this.side} ${this.role} closes while it holds stage ${stages.join(', ')}`;
      throw new RingMisuse('leaked-stage', what);
    }
    this.isClosed = true;
    this.withdraw();
    this.shared.close(this.index);
  }

  /** The end of a scope: as {@link close}, but a failure that is under way is not hidden. */
  [Symbol.dispose](): void {
    if (this.isClosed) return;
    const { stages } = this.shared.heldBy(this.index);
    if (stages.length === 0) return this.close();
    this.isClosed = true;
    this.fail('its scope was left while it held a stage');
  }

  getLength(stage: number): number {
    return this.words[this.shared.layout.full(stage) + StageWord.length]!;
  }

  /** What others must know before this endpoint is gone. */
  protected abstract withdraw(): void;
  abstract setLength(stage: number, bytes: number): void;
  abstract release(stage: number): void;
  abstract cancel(stage: number): void;
  abstract leave(stage: number): void;
}
