// Turns by one counter for each side: for one producer and one consumer. Barriers would say the
// same there, since stages are filled and freed in order, but each of them costs a cache line.
import type { Debts } from './deferred-wakeups.ts';
import type { RingSide } from './errors.ts';
import { MARKED, TURN_SHIFT } from './held-stages.ts';
import { EndpointWord } from './layout.ts';
import type { Shared } from './shared.ts';
import { Given, type Turns } from './sequencer.ts';
import type { Wanted } from './wait.ts';
import { MARKS, PHASE_SHIFT, POISON, settle } from './futex-word.ts';

// V8 looks an import up at each use, and folds a constant of the module that it compiles.
const SHIFT: number = PHASE_SHIFT;
const DONE: Given = Given.done;
const ALL_MARKS: number = MARKS;
const TAKEN_SHIFT: number = TURN_SHIFT;

export class TurnsByCount implements Turns {
  stage = 0;
  readonly #words: Int32Array;
  readonly #stages: number;
  /** The counter of this side, and the one of the other. */
  readonly #ownAt: number;
  readonly #peerAt: number;
  /** How many stages this side may be ahead of the other: a producer all of them. */
  readonly #lead: number;
  /** Stages taken so far, and the other side's count as it was seen last; both modulo 2^27. */
  #taken = 0;
  #seen = 0;
  /** Where it says what is taken, for whoever finds this thread dead. */
  readonly #turnAt: number;
  /** Stages given on so far, modulo 2^27: what the counter of this side says. */
  #given = 0;
  /** The stage that is given on next: one that is given before its turn is marked, and waits. */
  #oldest = 0;
  readonly #marksAt: number;
  #earlyCount = 0;
  readonly #wanted: Wanted;
  readonly #debts: Debts | null;

  constructor(shared: Shared, side: RingSide, index: number, debts: Debts | null) {
    const { shape, layout, words } = shared;
    const isProducer = side === 'producer';
    this.#words = words;
    this.#debts = debts;
    this.#stages = shape.stages;
    this.#ownAt = layout.counter(side);
    this.#peerAt = layout.counter(isProducer ? 'consumer' : 'producer');
    this.#lead = isProducer ? shape.stages : 0;
    this.#turnAt = layout.endpoint(index) + EndpointWord.turn;
    this.#marksAt = layout.endpoint(index) + EndpointWord.marks;
    this.#wanted = { at: this.#peerAt, phase: 0, isCount: true, registerAt: -1, register: 0 };
  }

  /** Asks memory only when what was seen last is used up. */
  isReady(): boolean {
    return (this.#seen + this.#lead - this.#taken) << SHIFT > 0 || this.#isReadyNow();
  }

  #isReadyNow(): boolean {
    const seen = Atomics.load(this.#words, this.#peerAt);
    if ((seen & POISON) !== 0) return false;
    this.#seen = seen >>> SHIFT;
    return (this.#seen + this.#lead - this.#taken) << SHIFT > 0;
  }

  look(): void {}

  wanted(): Wanted {
    this.#wanted.phase = this.#taken - this.#lead;
    return this.#wanted;
  }

  claim(): number {
    const { stage } = this;
    const next = stage + 1 === this.#stages ? 0 : stage + 1;
    this.stage = next;
    this.#taken = (this.#taken + 1) | 0;
    this.#words[this.#turnAt] = (this.#taken << TAKEN_SHIFT) | next;
    return stage;
  }

  holds(stage: number): boolean {
    const after = stage - this.#oldest;
    const number = after < 0 ? after + this.#stages : after;
    return number < this.#heldCount && this.#words[this.#marksAt + stage] !== MARKED;
  }

  /** Stages taken and not given on; those that were given before their turn count. */
  get #heldCount(): number {
    return (this.#taken - this.#given) & 0xffff;
  }

  /** Whatever is not as it is nearly always goes the long way, so that V8 inlines the short one. */
  give(stage: number): Given {
    if (stage !== this.#oldest || this.#earlyCount > 0 || this.#given === this.#taken) {
      return this.giveAll(stage, 1);
    }
    this.#oldest = stage + 1 === this.#stages ? 0 : stage + 1;
    return this.#publish(1);
  }

  giveAll(stage: number, count: number): Given {
    for (let number = 0; number < count; number++) {
      if (!this.holds((stage + number) % this.#stages)) return Given.notHeld;
    }
    const words = this.#words;
    const marks = this.#marksAt;
    if (stage !== this.#oldest) {
      for (let number = 0; number < count; number++) {
        words[marks + ((stage + number) % this.#stages)] = MARKED;
      }
      this.#earlyCount += count;
      return (Atomics.load(words, this.#ownAt) & POISON) === 0 ? Given.done : Given.poisoned;
    }
    let given = count;
    let oldest = (stage + count) % this.#stages;
    while (this.#earlyCount > 0 && words[marks + oldest] === MARKED) {
      words[marks + oldest] = 0;
      this.#earlyCount--;
      given++;
      oldest = oldest + 1 === this.#stages ? 0 : oldest + 1;
    }
    this.#oldest = oldest;
    return this.#publish(given);
  }

  #publish(given: number): Given {
    this.#given = (this.#given + given) | 0;
    const seen = Atomics.exchange(this.#words, this.#ownAt, this.#given << SHIFT);
    return (seen & ALL_MARKS) === 0 ? DONE : this.#settle(seen);
  }

  #settle(seen: number): Given {
    settle(this.#words, this.#ownAt, seen, this.#debts);
    return (seen & POISON) === 0 ? Given.done : Given.poisoned;
  }

  unclaim(stage: number): boolean {
    const newest = this.stage === 0 ? this.#stages - 1 : this.stage - 1;
    if (stage !== newest || !this.holds(stage)) return false;
    this.stage = newest;
    this.#taken = (this.#taken - 1) | 0;
    this.#words[this.#turnAt] = (this.#taken << TAKEN_SHIFT) | newest;
    return true;
  }

  drained(): Wanted[] {
    return [{ ...this.#wanted, phase: this.#taken - 1 }];
  }

  withdraw(): void {}
}
