// The places of a ring's endpoints: taken by a thread, closed, and taken again.
import { RingMisuse, type RingSide } from './errors.ts';
import { END, mark, unmark } from './futex-word.ts';
import {
  CLOSED,
  DEAD,
  EndpointWord,
  FREE,
  Header,
  OPEN,
  OPENING,
  type RingLayout,
} from './layout.ts';

/** The number of open endpoints is in the lower bits of its word, the number of changes above. */
const CHANGE = 1 << 16;
const OPEN_MASK = CHANGE - 1;

/** How long a thread waits for the place of a dead one, where those are taken again. */
const MAX_WAIT_MS = 2000;
const POLL_MS = 20;

export class Places {
  readonly #words: Int32Array;
  readonly #layout: RingLayout;

  constructor(words: Int32Array, layout: RingLayout) {
    this.#words = words;
    this.#layout = layout;
  }

  /** The endpoints of a side. */
  indices(side: RingSide): number[] {
    const { producers, consumers } = this.#layout.shape;
    const [first, count] = side === 'producer' ? [0, producers] : [producers, consumers];
    return Array.from({ length: count }, (_, number) => first + number);
  }

  stateAt(index: number): number {
    return this.#layout.endpoint(index) + EndpointWord.state;
  }

  state(index: number): number {
    return Atomics.load(this.#words, this.stateAt(index));
  }

  /** How many endpoints of a side are open, or can still be opened for the first time. */
  openCount(side: RingSide): number {
    return Atomics.load(this.#words, openAt(side)) & OPEN_MASK;
  }

  /**
   * Takes a place of a side and returns its endpoint, which is then being opened: the place of a
   * thread that died, one that was never taken, or one that was closed.
   *
   * @throws RingMisuse where there is none.
   */
  take(side: RingSide): number {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const seen = Atomics.load(this.#words, Header.places);
      const index = this.#take(side);
      if (index >= 0) return index;
      // The death of the thread that had the place may be seen a little later.
      const mayCome = this.#layout.shape.afterDeath === 'restart';
      if (!mayCome || this.#hasEnded(side) || performance.now() > deadline) this.#throwTaken(side);
      if (!waited(this.#words, Header.places, seen)) this.#throwTaken(side);
    }
  }

  #take(side: RingSide): number {
    const all = this.indices(side);
    // What a dead thread held is taken again only where a role restarts.
    const restarts = this.#layout.shape.afterDeath === 'restart';
    for (const state of restarts ? [DEAD, FREE, CLOSED] : [FREE, CLOSED]) {
      for (const index of all) {
        if (state === CLOSED && this.isGone(side)) continue;
        const found = Atomics.compareExchange(this.#words, this.stateAt(index), state, OPENING);
        if (found !== state) continue;
        if (state !== CLOSED || this.#reopen(side)) return index;
        Atomics.store(this.#words, this.stateAt(index), CLOSED);
      }
    }
    return -1;
  }

  /** With broadcast a closed consumer has withdrawn from every stage. */
  isGone(side: RingSide): boolean {
    return side === 'consumer' && this.#layout.shape.delivery === 'broadcast';
  }

  #hasEnded(side: RingSide): boolean {
    return side === 'producer' && this.openCount(side) === 0;
  }

  #throwTaken(side: RingSide): never {
    const { name, producers, consumers } = this.#layout.shape;
    if (this.#hasEnded(side)) {
      throw new RingMisuse(null, `the stream of ring ${name} has ended: every producer has closed`);
    }
    const most = side === 'producer' ? producers : consumers;
    throw new RingMisuse(
      null,
      `ring ${name} has ${most} ${side}${most === 1 ? '' : 's'}, and all are in use`,
    );
  }

  /** Counts a closed endpoint as open again; `false` where the stream has ended. */
  #reopen(side: RingSide): boolean {
    const at = openAt(side);
    for (;;) {
      const seen = Atomics.load(this.#words, at);
      if (side === 'producer' && (seen & OPEN_MASK) === 0) return false;
      const next = (seen + CHANGE + 1) | 0;
      if (Atomics.compareExchange(this.#words, at, seen, next) === seen) break;
    }
    this.#settle(side);
    return true;
  }

  /** Opens a place that was taken. */
  open(index: number): void {
    Atomics.store(this.#words, this.stateAt(index), OPEN);
  }

  /** Closes an endpoint; closing the last one of a side ends the waits of the other side. */
  close(index: number): void {
    const at = this.stateAt(index);
    if (Atomics.compareExchange(this.#words, at, OPEN, CLOSED) !== OPEN) return;
    const side = index < this.#layout.shape.producers ? 'producer' : 'consumer';
    Atomics.add(this.#words, openAt(side), CHANGE - 1);
    this.#settle(side);
    this.#changed();
  }

  /** Gives up the place of a dead thread for another one; `false` if it was not open. */
  abandon(index: number): boolean {
    if (Atomics.compareExchange(this.#words, this.stateAt(index), OPEN, DEAD) !== OPEN)
      return false;
    this.#changed();
    return true;
  }

  #changed(): void {
    Atomics.add(this.#words, Header.places, 1);
    Atomics.notify(this.#words, Header.places);
  }

  /**
   * Sets or removes the mark of the end by the number of open endpoints.
   * `examples/models/reopen.ts` proves that mark and number agree in the end, whichever
   * thread changes the number meanwhile.
   */
  #settle(side: RingSide): void {
    const at = openAt(side);
    for (;;) {
      const seen = Atomics.load(this.#words, at);
      const isOver = (seen & OPEN_MASK) === 0;
      // A stream that has ended stays so: no producer opens again then, and no mark is removed.
      if (!isOver && side === 'producer') return;
      for (const word of this.#layout.signals(side)) {
        if (isOver) mark(this.#words, word, END);
        else unmark(this.#words, word, END);
      }
      if (Atomics.load(this.#words, at) === seen) return;
    }
  }
}

function openAt(side: RingSide): number {
  return side === 'producer' ? Header.openProducers : Header.openConsumers;
}

/** Waits for a change of a word; `false` in a thread that may not wait. */
function waited(words: Int32Array, at: number, seen: number): boolean {
  try {
    Atomics.wait(words, at, seen, POLL_MS);
    return true;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return false;
  }
}
