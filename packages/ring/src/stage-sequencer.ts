// Turns by a full and an empty barrier for each stage: for any number of endpoints.
import { arrive, hasPassed, Outcome, withdraw } from './barrier.ts';
import type { RingSide } from './errors.ts';
import { MARKED } from './held-stages.ts';
import { EndpointWord, Header } from './layout.ts';
import type { Shared } from './shared.ts';
import { Given, type Turns } from './sequencer.ts';
import type { Wanted } from './wait.ts';
import { POISON } from './futex-word.ts';

/**
 * Each endpoint counts for itself where it is alone on its side or where all see every item; else
 * all of a side share a register, which holds the lap in its upper and the stage in its lower bits.
 */
export class TurnsByStage implements Turns {
  stage = 0;
  readonly #shared: Shared;
  readonly #words: Int32Array;
  readonly #stages: number;
  /** What this side waits for, and what it signals, by stage. */
  readonly #waits: Int32Array;
  readonly #signals: Int32Array;
  /** By stage: marked while it is held. */
  readonly #marksAt: number;
  readonly #isAlone: boolean;
  readonly #registerAt: number;
  /** The phase of lap 0: a producer waits for the lap before (R02). */
  readonly #firstPhase: number;
  /** The phase that the next wait wants. */
  #phase: number;
  readonly #wanted: Wanted;

  constructor(shared: Shared, side: RingSide, index: number, isAlone: boolean) {
    const { shape, layout, words } = shared;
    const isProducer = side === 'producer';
    const full = Int32Array.from({ length: shape.stages }, (_, stage) => layout.full(stage));
    const empty = Int32Array.from({ length: shape.stages }, (_, stage) => layout.empty(stage));
    this.#shared = shared;
    this.#words = words;
    this.#stages = shape.stages;
    this.#waits = isProducer ? empty : full;
    this.#signals = isProducer ? full : empty;
    this.#marksAt = layout.endpoint(index) + EndpointWord.marks;
    this.#isAlone = isAlone;
    this.#registerAt = isProducer ? Header.producerRegister : Header.consumerRegister;
    this.#firstPhase = isProducer ? -1 : 0;
    this.#phase = this.#firstPhase;
    const registerAt = isAlone ? -1 : this.#registerAt;
    this.#wanted = { at: 0, phase: 0, isCount: false, registerAt, register: 0 };
  }

  isReady(): boolean {
    const seen = Atomics.load(this.#words, this.#waits[this.stage]!);
    return (seen & POISON) === 0 && hasPassed(seen, this.#phase, false);
  }

  look(): void {
    if (this.#isAlone) return;
    const register = Atomics.load(this.#words, this.#registerAt);
    this.stage = register & 0xffff;
    this.#phase = (register >>> 16) + this.#firstPhase;
    this.#wanted.register = register;
  }

  wanted(): Wanted {
    this.#wanted.at = this.#waits[this.stage]!;
    this.#wanted.phase = this.#phase;
    return this.#wanted;
  }

  claim(): number {
    const { stage } = this;
    const isLast = stage + 1 === this.#stages;
    if (!this.#isAlone) {
      const lap = (this.#phase - this.#firstPhase) & 0xffff;
      const seen = (lap << 16) | stage;
      const next = isLast ? ((lap + 1) & 0xffff) << 16 : seen + 1;
      const found = Atomics.compareExchange(this.#words, this.#registerAt, seen, next);
      if (found !== seen) return -1;
    }
    this.stage = isLast ? 0 : stage + 1;
    if (isLast) this.#phase = (this.#phase + 1) | 0;
    this.#words[this.#marksAt + stage] = MARKED;
    return stage;
  }

  holds(stage: number): boolean {
    return this.#words[this.#marksAt + stage] === MARKED;
  }

  give(stage: number): Given {
    if (!this.holds(stage)) return Given.notHeld;
    this.#words[this.#marksAt + stage] = 0;
    const outcome = arrive(this.#words, this.#signals[stage]!, 1, 1, 0);
    return outcome === Outcome.done ? Given.done : Given.poisoned;
  }

  giveAll(first: number, count: number): Given {
    const stages = Array.from({ length: count }, (_, number) => (first + number) % this.#stages);
    if (!stages.every((stage) => this.holds(stage))) return Given.notHeld;
    for (const stage of stages) if (this.give(stage) !== Given.done) return Given.poisoned;
    return Given.done;
  }

  unclaim(stage: number): boolean {
    const newest = this.stage === 0 ? this.#stages - 1 : this.stage - 1;
    if (!this.#isAlone || stage !== newest || !this.holds(stage)) return false;
    this.#words[this.#marksAt + stage] = 0;
    if (this.stage === 0) this.#phase--;
    this.stage = newest;
    return true;
  }

  *drained(): Generator<Wanted, void, void> {
    this.look();
    for (let count = 0; count < this.#stages; count++) {
      const stage = (this.stage + count) % this.#stages;
      const phase = stage < this.stage ? this.#phase + 1 : this.#phase;
      const at = this.#waits[stage]!;
      yield { at, phase, isCount: false, registerAt: -1, register: 0 };
    }
  }

  /** With broadcast every stage is owed an arrival of this consumer. */
  withdraw(): void {
    if (this.#firstPhase < 0 || this.#shared.shape.delivery !== 'broadcast') return;
    for (let stage = 0; stage < this.#stages; stage++) {
      const phase = stage < this.stage ? this.#phase + 1 : this.#phase;
      withdraw(this.#words, this.#signals[stage]!, phase);
    }
  }
}
