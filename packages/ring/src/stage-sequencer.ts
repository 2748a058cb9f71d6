// The sequencer for any number of endpoints: a full and an empty barrier for each stage.
import { arrive, hasPassed, BarrierResult, withdraw } from './barrier.ts';
import type { RingSide } from './errors.ts';
import { MARKED } from './held-stages.ts';
import { EndpointWord, Header } from './layout.ts';
import type { SharedState } from './shared.ts';
import { ReleaseResult, type Sequencer } from './sequencer.ts';
import type { WaitTarget } from './wait.ts';
import { POISON } from './futex-word.ts';

/**
 * An endpoint that is the only one of its side, or that receives every item (broadcast), has its
 * own position. Otherwise the endpoints of a side share a register with the lap in its upper and
 * the stage in its lower bits.
 */
export class StageSequencer implements Sequencer {
  stage = 0;
  readonly #shared: SharedState;
  readonly #words: Int32Array;
  readonly #stages: number;
  /** The barriers that this side waits for, and those that it signals, by stage. */
  readonly #waitWords: Int32Array;
  readonly #signalWords: Int32Array;
  /** One word for each stage, marked while the stage is held. */
  readonly #marksAt: number;
  readonly #isSole: boolean;
  readonly #registerAt: number;
  /** The phase of lap 0: a producer waits for the previous lap (R02). */
  readonly #firstPhase: number;
  /** The phase of the next wait. */
  #phase: number;
  readonly #waitTarget: WaitTarget;

  constructor(shared: SharedState, side: RingSide, index: number, isSole: boolean) {
    const { shape, layout, words } = shared;
    const isProducer = side === 'producer';
    const full = Int32Array.from({ length: shape.stages }, (_, stage) => layout.full(stage));
    const empty = Int32Array.from({ length: shape.stages }, (_, stage) => layout.empty(stage));
    this.#shared = shared;
    this.#words = words;
    this.#stages = shape.stages;
    this.#waitWords = isProducer ? empty : full;
    this.#signalWords = isProducer ? full : empty;
    this.#marksAt = layout.endpoint(index) + EndpointWord.marks;
    this.#isSole = isSole;
    this.#registerAt = isProducer ? Header.producerRegister : Header.consumerRegister;
    this.#firstPhase = isProducer ? -1 : 0;
    this.#phase = this.#firstPhase;
    const registerAt = isSole ? -1 : this.#registerAt;
    this.#waitTarget = { at: 0, phase: 0, isCount: false, registerAt, register: 0 };
  }

  isReady(): boolean {
    const seen = Atomics.load(this.#words, this.#waitWords[this.stage]!);
    return (seen & POISON) === 0 && hasPassed(seen, this.#phase, false);
  }

  refresh(): void {
    if (this.#isSole) return;
    const register = Atomics.load(this.#words, this.#registerAt);
    this.stage = register & 0xffff;
    this.#phase = (register >>> 16) + this.#firstPhase;
    this.#waitTarget.register = register;
  }

  waitTarget(): WaitTarget {
    this.#waitTarget.at = this.#waitWords[this.stage]!;
    this.#waitTarget.phase = this.#phase;
    return this.#waitTarget;
  }

  claim(): number {
    const { stage } = this;
    const isLast = stage + 1 === this.#stages;
    if (!this.#isSole) {
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

  release(stage: number): ReleaseResult {
    if (!this.holds(stage)) return ReleaseResult.notHeld;
    this.#words[this.#marksAt + stage] = 0;
    const result = arrive(this.#words, this.#signalWords[stage]!, 1, 1, 0);
    return result === BarrierResult.done ? ReleaseResult.done : ReleaseResult.poisoned;
  }

  releaseAll(first: number, count: number): ReleaseResult {
    const stages = Array.from({ length: count }, (_, number) => (first + number) % this.#stages);
    if (!stages.every((stage) => this.holds(stage))) return ReleaseResult.notHeld;
    for (const stage of stages)
      if (this.release(stage) !== ReleaseResult.done) return ReleaseResult.poisoned;
    return ReleaseResult.done;
  }

  unclaim(stage: number): boolean {
    const newest = this.stage === 0 ? this.#stages - 1 : this.stage - 1;
    if (!this.#isSole || stage !== newest || !this.holds(stage)) return false;
    this.#words[this.#marksAt + stage] = 0;
    if (this.stage === 0) this.#phase--;
    this.stage = newest;
    return true;
  }

  *drainTargets(): Generator<WaitTarget, void, void> {
    this.refresh();
    for (let count = 0; count < this.#stages; count++) {
      const stage = (this.stage + count) % this.#stages;
      const phase = stage < this.stage ? this.#phase + 1 : this.#phase;
      const at = this.#waitWords[stage]!;
      yield { at, phase, isCount: false, registerAt: -1, register: 0 };
    }
  }

  /** With broadcast every stage expects an arrival of this consumer. */
  withdraw(): void {
    if (this.#firstPhase < 0 || this.#shared.shape.delivery !== 'broadcast') return;
    for (let stage = 0; stage < this.#stages; stage++) {
      const phase = stage < this.stage ? this.#phase + 1 : this.#phase;
      withdraw(this.#words, this.#signalWords[stage]!, phase);
    }
  }
}
