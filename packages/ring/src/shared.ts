// The shared state of a ring: endpoints, held stages, item counts, and failure.
import type { SharedMemory } from '../../core/src/base/index.ts';
import { readFailure, writeFailure } from './failure-record.ts';
import { heldStages } from './held-stages.ts';
import { mark, POISON } from './futex-word.ts';
import { DEAD, EndpointWord, FREE, Header, OPEN, RingLayout, type RingShape } from './layout.ts';
import { RingPoisoned, type RingFailure, type ItemCounts, type RingSide } from './errors.ts';
import { Places } from './places.ts';
import { readText } from './text.ts';

/** The stages that an endpoint holds, and where it acquired them, if known. */
export interface HeldStages {
  /** The name of the endpoint. */
  readonly role: string;
  /** Its side. */
  readonly side: RingSide;
  /** The stages. */
  readonly stages: readonly number[];
  /** `file:line:column` of the acquire, if the ring has the option `debug`; else `null`. */
  readonly line: string | null;
}

/** What happened to a ring, in {@link Header.poison} and {@link Header.exact}. */
const WRITING = 1;
const WRITTEN = 2;

/** How long another thread may take to write down why it failed, before it counts as dead. */
const MAX_WRITING_MS = 20;
/** How long a waiter waits for the exact cause, after a scope was left by an unknown error. */
const MAX_CAUSE_WAIT_MS = 25;

/** A random number of this thread. */
export const threadToken = crypto.getRandomValues(new Int32Array(1))[0]! | 1;

/** One thread's view of a ring's shared words. */
export class SharedState {
  readonly shape: RingShape;
  readonly memory: SharedMemory;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly layout: RingLayout;
  /** The memory as floats: numbers of items outgrow 32 bits. */
  readonly counts: Float64Array;
  readonly places: Places;

  constructor(shape: RingShape, memory: SharedMemory) {
    this.shape = shape;
    this.memory = memory;
    const buffer = memory.buffer;
    this.words = new Int32Array(buffer);
    this.counts = new Float64Array(buffer);
    this.layout = new RingLayout(shape);
    this.places = new Places(this.words, this.layout);
  }

  /** The index of a side's endpoint among all endpoints. */
  indexOf(side: RingSide, number: number): number {
    return side === 'producer' ? number : this.shape.producers + number;
  }

  /** Where an endpoint counts its released items, in {@link counts}. */
  itemsAt(index: number): number {
    return (this.layout.endpoint(index) + EndpointWord.items) >> 1;
  }

  /** The items that passed through the ring so far; exact once its threads are idle. */
  items(): ItemCounts {
    const { producers, consumers, delivery } = this.shape;
    const counts = Array.from(
      { length: producers + consumers },
      (_, at) => this.counts[this.itemsAt(at)]!,
    );
    const produced = counts.slice(0, producers).reduce((sum, one) => sum + one, 0);
    const released = counts.slice(producers);
    const consumed =
      delivery === 'broadcast'
        ? Math.min(...released)
        : released.reduce((sum, one) => sum + one, 0);
    const unfinished = this.held()
      .filter(({ side }) => side === 'producer')
      .reduce((sum, { stages }) => sum + stages.length, 0);
    return { produced, consumed, inFlight: produced - consumed, unfinished };
  }

  /** What every open endpoint holds now. */
  held(): HeldStages[] {
    const { producers, consumers } = this.shape;
    const all = Array.from({ length: producers + consumers }, (_, index) => this.heldBy(index));
    return all.filter(({ stages }) => stages.length > 0);
  }

  heldBy(index: number): HeldStages {
    const at = this.layout.endpoint(index);
    const line = readText(this.words, at + EndpointWord.line);
    return {
      role: readText(this.words, at + EndpointWord.role),
      side: index < this.shape.producers ? 'producer' : 'consumer',
      stages: heldStages(this.words, this.layout, index),
      line: line === '' ? null : line,
    };
  }

  /** The endpoints of which a word has a value, among those that were ever taken. */
  endpointsWith(word: 'port' | 'watched' | 'thread' | 'token', value: number): number[] {
    const { producers, consumers } = this.shape;
    return Array.from({ length: producers + consumers }, (_, index) => index).filter((index) => {
      const isTaken = this.places.state(index) !== FREE;
      return isTaken && this.words[this.layout.endpoint(index) + EndpointWord[word]] === value;
    });
  }

  /** Whether an endpoint was claimed and not closed. */
  isOpen(index: number): boolean {
    return this.places.state(index) === OPEN;
  }

  /** Whether every endpoint has closed. */
  get isOver(): boolean {
    return this.places.openCount('producer') === 0 && this.places.openCount('consumer') === 0;
  }

  /** A side with an endpoint that was never taken, or `null`. */
  unclaimedSide(): RingSide | null {
    for (const side of ['producer', 'consumer'] as const) {
      if (this.places.indices(side).some((index) => this.places.state(index) === FREE)) return side;
    }
    return null;
  }

  /**
   * The thread of an endpoint has ended. Its place can be taken again where the ring says so;
   * otherwise the ring is poisoned, or the cause of an earlier failure of this endpoint completed.
   */
  endpointDied(index: number, cause: string, line: string | null, isExact: boolean): void {
    const owner = this.heldBy(index);
    const failure = { ...owner, line: line ?? owner.line, cause };
    const restarts = this.#canRestart(index);
    this.places.abandon(index);
    if (restarts || this.places.state(index) !== DEAD) return;
    // The thread, its watchdog and its owner may all report the death: the exact cause is kept.
    this.poison(failure, isExact ? null : index);
    if (isExact) this.explain(index, failure);
  }

  /** Whether the ring was poisoned because a scope of this endpoint was left. */
  isScopeFailure(index: number): boolean {
    return this.awaitsCauseOf(index) && this.isOpen(index);
  }

  /** Whether the scope of an endpoint, or its death, poisoned the ring without an exact cause. */
  awaitsCauseOf(index: number): boolean {
    return Atomics.load(this.words, Header.inexact) === index + 1;
  }

  /**
   * Items that a producer of counters released out of order are neither published nor its own to
   * fill again: an endpoint cannot continue there.
   */
  #canRestart(index: number): boolean {
    const { layout, shape, words } = this;
    if (shape.afterDeath !== 'restart' || Atomics.load(words, Header.poison) !== 0) return false;
    if (!layout.isPair || index >= shape.producers) return true;
    const at = layout.endpoint(index) + EndpointWord.marks;
    return words.subarray(at, at + shape.stages).every((word) => word === 0);
  }

  /**
   * Ends every wait of every endpoint with `failure`; a later failure does not replace it.
   * `inexact`: the endpoint whose exact cause may still come, see {@link explain}.
   */
  poison(failure: RingFailure, inexact: number | null = null): void {
    const { words, layout } = this;
    let found = Atomics.compareExchange(words, Header.poison, 0, WRITING);
    if (found === WRITING) found = this.#takeOver(failure);
    else if (found === 0) {
      writeFailure(words, layout.failure('first'), failure);
      Atomics.store(words, Header.inexact, inexact === null ? 0 : inexact + 1);
      Atomics.store(words, Header.poison, WRITTEN);
    }
    // Repeated for a later failure: a thread may have crashed before it restored a mark.
    for (const at of [...layout.signals('producer'), ...layout.signals('consumer')]) {
      mark(words, at, POISON);
    }
  }

  /** Another thread is writing its failure, or has died meanwhile: then this one counts. */
  #takeOver(failure: RingFailure): number {
    const { words, layout } = this;
    const deadline = performance.now() + MAX_WRITING_MS;
    while (Atomics.load(words, Header.poison) === WRITING) {
      if (performance.now() < deadline) continue;
      writeFailure(words, layout.failure('exact'), failure);
      Atomics.store(words, Header.exact, WRITTEN);
      Atomics.store(words, Header.poison, WRITTEN);
    }
    return WRITTEN;
  }

  /** Completes the failure of an endpoint by its exact cause, if the ring failed by it. */
  explain(index: number, failure: RingFailure): void {
    const { words } = this;
    if (!this.awaitsCauseOf(index)) return;
    if (Atomics.compareExchange(words, Header.exact, 0, WRITING) !== 0) return;
    const { stages, line } = readFailure(words, this.layout.failure('first'));
    const exact = { ...failure, stages, line: failure.line ?? line };
    writeFailure(words, this.layout.failure('exact'), exact);
    Atomics.store(words, Header.exact, WRITTEN);
    Atomics.notify(words, Header.exact);
  }

  /** The failure that poisoned the ring, or `null`. */
  failure(): RingPoisoned | null {
    const { words, layout, shape } = this;
    if (Atomics.load(words, Header.poison) !== WRITTEN) return null;
    const isExact = Atomics.load(words, Header.exact) === WRITTEN;
    const failure = readFailure(words, layout.failure(isExact ? 'exact' : 'first'));
    return new RingPoisoned(shape.name, failure, this.items());
  }

  /** Whether the exact cause is about to come from a thread that is alive, and not this one. */
  #awaitsCause(): boolean {
    const { words } = this;
    const index = Atomics.load(words, Header.inexact) - 1;
    if (index < 0 || Atomics.load(words, Header.exact) === WRITTEN || !this.isOpen(index))
      return false;
    return words[this.layout.endpoint(index) + EndpointWord.token] !== threadToken;
  }

  /** The error to throw after a wait was poisoned. */
  poisoned(): RingPoisoned {
    if (this.#awaitsCause()) {
      try {
        Atomics.wait(this.words, Header.exact, 0, MAX_CAUSE_WAIT_MS);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
    // The words are marked after the text is written: a thread that saw a mark can read it.
    return this.failure()!;
  }

  /** As {@link poisoned}, without blocking the thread. */
  async poisonedAsync(): Promise<RingPoisoned> {
    if (this.#awaitsCause()) {
      const late = new Promise<void>((resolve) => void setTimeout(resolve, MAX_CAUSE_WAIT_MS));
      const { async, value } = Atomics.waitAsync(this.words, Header.exact, 0, MAX_CAUSE_WAIT_MS);
      if (async) await Promise.race([value, late]);
    }
    return this.failure()!;
  }
}
