// Turns by one counter for each side: for one producer and one consumer. Barriers would say the
// same there, since stages are filled and freed in order, but each of them costs a cache line.
import { Outcome } from './barrier.ts';
import type { Debts } from './debts.ts';
import type { RingSide } from './errors.ts';
import type { Shared } from './shared.ts';
import type { Turns } from './turns.ts';
import type { Wanted } from './wait.ts';
import { PHASE_SHIFT, POISON, publish } from './word.ts';

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
  /** Stages given on so far, modulo 2^27: what the counter of this side says. */
  #given = 0;
  /** The stage that is given on next: one that is given before its turn waits for it. */
  #oldest = 0;
  readonly #early: Uint8Array;
  #earlyCount = 0;
  readonly #wanted: Wanted;
  readonly #debts: Debts | null;

  constructor({ shape, layout, words }: Shared, side: RingSide, debts: Debts | null) {
    const isProducer = side === 'producer';
    this.#words = words;
    this.#debts = debts;
    this.#stages = shape.stages;
    this.#ownAt = layout.counter(side);
    this.#peerAt = layout.counter(isProducer ? 'consumer' : 'producer');
    this.#lead = isProducer ? shape.stages : 0;
    this.#early = new Uint8Array(shape.stages);
    this.#wanted = { at: this.#peerAt, phase: 0, isCount: true, registerAt: -1, register: 0 };
  }

  /** Asks memory only when what was seen last is used up. */
  isReady(): boolean {
    if ((this.#seen + this.#lead - this.#taken) << PHASE_SHIFT > 0) return true;
    const seen = Atomics.load(this.#words, this.#peerAt);
    if ((seen & POISON) !== 0) return false;
    this.#seen = seen >>> PHASE_SHIFT;
    return (this.#seen + this.#lead - this.#taken) << PHASE_SHIFT > 0;
  }

  look(): void {}

  wanted(): Wanted {
    this.#wanted.phase = this.#taken - this.#lead;
    return this.#wanted;
  }

  claim(): number {
    const { stage } = this;
    this.stage = stage + 1 === this.#stages ? 0 : stage + 1;
    this.#taken = (this.#taken + 1) | 0;
    return stage;
  }

  give(stage: number, count: number): Outcome {
    let given = count;
    if (stage !== this.#oldest) {
      this.#early.fill(1, stage, stage + count);
      this.#earlyCount += count;
      const seen = Atomics.load(this.#words, this.#ownAt);
      return (seen & POISON) === 0 ? Outcome.done : Outcome.poisoned;
    }
    let oldest = stage + count;
    if (oldest >= this.#stages) oldest -= this.#stages;
    while (this.#earlyCount > 0 && this.#early[oldest] === 1) {
      this.#early[oldest] = 0;
      this.#earlyCount--;
      given++;
      oldest = oldest + 1 === this.#stages ? 0 : oldest + 1;
    }
    this.#oldest = oldest;
    this.#given = (this.#given + given) | 0;
    return (publish(this.#words, this.#ownAt, this.#given, this.#debts) & POISON) === 0
      ? Outcome.done
      : Outcome.poisoned;
  }

  unclaim(stage: number): boolean {
    const newest = this.stage === 0 ? this.#stages - 1 : this.stage - 1;
    if (stage !== newest) return false;
    this.stage = newest;
    this.#taken = (this.#taken - 1) | 0;
    return true;
  }

  drained(): Wanted[] {
    return [{ ...this.#wanted, phase: this.#taken - 1 }];
  }

  withdraw(): void {}
}
