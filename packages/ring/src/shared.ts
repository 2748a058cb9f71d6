// The shared state of a ring: open endpoints, held stages, item counts, and failure.
import type { SharedMemory } from '../../core/src/base/index.ts';
import { heldStages } from './held-stages.ts';
import { mark, END, POISON } from './futex-word.ts';
import {
  CLOSED,
  EndpointWord,
  FAILURE_BYTES,
  Header,
  RingLayout,
  OPEN,
  type RingShape,
} from './layout.ts';
import { RingPoisoned, type RingFailure, type ItemCounts, type RingSide } from './errors.ts';
import { readText, writeText } from './text.ts';

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

const MAX_CAUSE = 600;

/** One thread's view of a ring's shared words. */
export class SharedState {
  readonly shape: RingShape;
  readonly memory: SharedMemory;
  readonly words: Int32Array<SharedArrayBuffer>;
  readonly layout: RingLayout;
  /** The memory as floats: numbers of items outgrow 32 bits. */
  readonly counts: Float64Array;

  constructor(shape: RingShape, memory: SharedMemory) {
    this.shape = shape;
    this.memory = memory;
    const buffer = memory.buffer;
    this.words = new Int32Array(buffer);
    this.counts = new Float64Array(buffer);
    this.layout = new RingLayout(shape);
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

  /** The endpoints that were claimed through a port. */
  claimedThrough(port: number): number[] {
    const { producers, consumers } = this.shape;
    return Array.from({ length: producers + consumers }, (_, index) => index).filter((index) => {
      const at = this.layout.endpoint(index);
      const isTaken = Atomics.load(this.words, at + EndpointWord.state) !== 0;
      return isTaken && this.words[at + EndpointWord.port] === port;
    });
  }

  /** Whether an endpoint was claimed and not closed. */
  isOpen(index: number): boolean {
    const state = Atomics.load(this.words, this.layout.endpoint(index) + EndpointWord.state);
    return state === OPEN;
  }

  /** A side with an unclaimed endpoint, or `null`. */
  unclaimedSide(): RingSide | null {
    const { producers, consumers } = this.shape;
    if (Atomics.load(this.words, Header.takenProducers) < producers) return 'producer';
    return Atomics.load(this.words, Header.takenConsumers) < consumers ? 'consumer' : null;
  }

  /** Closes an endpoint; closing the last one of a side ends the waits of the other side. */
  close(index: number): void {
    const { words, layout, shape } = this;
    Atomics.store(words, layout.endpoint(index) + EndpointWord.state, CLOSED);
    const isProducer = index < shape.producers;
    const open = isProducer ? Header.openProducers : Header.openConsumers;
    if (Atomics.sub(words, open, 1) > 1) return;
    for (const at of layout.signals(isProducer ? 'producer' : 'consumer')) mark(words, at, END);
  }

  /** Ends every wait of every endpoint with `failure`; a later failure does not replace it. */
  poison(failure: RingFailure): void {
    const { words, layout } = this;
    const found = Atomics.compareExchange(words, Header.poison, 0, 1);
    if (found === 1) return;
    if (found === 0) {
      const short = { ...failure, cause: failure.cause.slice(0, MAX_CAUSE) };
      writeText(words, Header.failure, FAILURE_BYTES, JSON.stringify(short));
      Atomics.store(words, Header.poison, 2);
    }
    // Repeated for a later failure: a thread may have crashed before it restored a mark.
    for (const at of [...layout.signals('producer'), ...layout.signals('consumer')]) {
      mark(words, at, POISON);
    }
  }

  /** The failure that poisoned the ring, or `null`. */
  failure(): RingPoisoned | null {
    if (Atomics.load(this.words, Header.poison) !== 2) return null;
    const failure = JSON.parse(readText(this.words, Header.failure)) as RingFailure;
    return new RingPoisoned(this.shape.name, failure, this.items());
  }

  /** The error to throw after a wait was poisoned. */
  poisoned(): RingPoisoned {
    // The words are marked after the text is written: a thread that saw a mark can read it.
    return this.failure()!;
  }
}
