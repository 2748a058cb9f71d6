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
 * own position. Otherwise the endpoints of a side share a register with the stage in as few bits as
 * it needs, and the lap in all others: an exchange takes a stage only if the register is what it
 * was as the stage was looked at, and 2^32 items later it is that again.
 * `examples/models/register.ts` shows what fewer bits let happen.
 */
export class StageSequencer implements Sequencer {
  stage = 0;
  readonly #shared: SharedState;
  readonly #words: Int32Array;
  readonly #stages: number;
  /** The bits of a stage in a register or a position; the bits of the lap follow. */
  readonly #lapShift: number;
  readonly #stageMask: number;
  readonly #lapMask: number;
  /** The barriers that this side waits for, and those that it signals, by stage. */
  readonly #waitWords: Int32Array;
  readonly #signalWords: Int32Array;
  /** One word for each stage, marked while the stage is held. */
  readonly #marksAt: number;
  readonly #isSole: boolean;
  /** Where the only endpoint of a side records its position, for the next one of its place. */
  readonly #positionAt: number;
  readonly #inheritedStages: number[] = [];
  inherited = 0;
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
    this.#lapShift = 32 - Math.clz32(shape.stages - 1);
    this.#stageMask = (1 << this.#lapShift) - 1;
    this.#lapMask = 0xffff_ffff >>> this.#lapShift;
    this.#waitWords = isProducer ? empty : full;
    this.#signalWords = isProducer ? full : empty;
    this.#marksAt = layout.endpoint(index) + EndpointWord.marks;
    this.#isSole = isSole;
    this.#positionAt = layout.endpoint(index) + EndpointWord.position;
    this.#registerAt = isProducer ? Header.producerRegister : Header.consumerRegister;
    this.#firstPhase = isProducer ? -1 : 0;
    this.#phase = this.#firstPhase;
    const registerAt = isSole ? -1 : this.#registerAt;
    this.#waitTarget = { at: 0, phase: 0, isCount: false, registerAt, register: 0 };
    this.#continue();
  }

  /** Continues where an earlier endpoint of this place has ended, with the stages that it held. */
  #continue(): void {
    if (this.#isSole) {
      const position = this.#words[this.#positionAt]!;
      this.stage = position & this.#stageMask;
      this.#phase = (position >>> this.#lapShift) + this.#firstPhase;
    } else this.refresh();
    for (let count = 0; count < this.#stages; count++) {
      const stage = (this.stage + count) % this.#stages;
      if (this.holds(stage)) this.inherited = this.#inheritedStages.push(stage);
    }
  }

  isReady(): boolean {
    if (this.inherited > 0) return true;
    const seen = Atomics.load(this.#words, this.#waitWords[this.stage]!);
    return (seen & POISON) === 0 && hasPassed(seen, this.#phase, false);
  }

  readyCount(most: number): number {
    let count = 0;
    for (; count < most; count++) {
      const { at, phase } = this.waitTarget(count);
      const seen = Atomics.load(this.#words, at);
      if ((seen & POISON) !== 0 || !hasPassed(seen, phase, false)) break;
    }
    return count;
  }

  refresh(): void {
    if (this.#isSole) return;
    const register = Atomics.load(this.#words, this.#registerAt);
    this.stage = register & this.#stageMask;
    this.#phase = (register >>> this.#lapShift) + this.#firstPhase;
    this.#waitTarget.register = register;
  }

  waitTarget(ahead: number): WaitTarget {
    const stage = this.stage + ahead;
    const isNextLap = stage >= this.#stages;
    this.#waitTarget.at = this.#waitWords[isNextLap ? stage - this.#stages : stage]!;
    this.#waitTarget.phase = isNextLap ? this.#phase + 1 : this.#phase;
    return this.#waitTarget;
  }

  claim(): number {
    if (this.inherited > 0) {
      this.inherited--;
      return this.#inheritedStages.shift()!;
    }
    const { stage } = this;
    const lap = (this.#phase - this.#firstPhase) & this.#lapMask;
    const isLast = stage + 1 === this.#stages;
    const next = isLast ? (lap + 1) << this.#lapShift : (lap << this.#lapShift) | (stage + 1);
    if (!this.#take(lap, next)) return -1;
    this.stage = isLast ? 0 : stage + 1;
    if (isLast) this.#phase = (this.#phase + 1) | 0;
    this.#words[this.#marksAt + stage] = MARKED;
    return stage;
  }

  /** Moves the register, or the position of a sole endpoint; `false` if another was faster. */
  #take(lap: number, next: number): boolean {
    if (this.#isSole) {
      this.#words[this.#positionAt] = next;
      return true;
    }
    const seen = (lap << this.#lapShift) | this.stage;
    return Atomics.compareExchange(this.#words, this.#registerAt, seen, next) === seen;
  }

  claimAll(count: number): number {
    const { stage } = this;
    const lap = (this.#phase - this.#firstPhase) & this.#lapMask;
    const isNextLap = stage + count >= this.#stages;
    const nextStage = isNextLap ? stage + count - this.#stages : stage + count;
    const next = ((isNextLap ? lap + 1 : lap) << this.#lapShift) | nextStage;
    if (!this.#take(lap, next)) return -1;
    this.stage = nextStage;
    if (isNextLap) this.#phase = (this.#phase + 1) | 0;
    for (let number = 0; number < count; number++) {
      const one = stage + number;
      this.#words[this.#marksAt + (one < this.#stages ? one : one - this.#stages)] = MARKED;
    }
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
    const lap = (this.#phase - this.#firstPhase) & this.#lapMask;
    this.#words[this.#positionAt] = (lap << this.#lapShift) | newest;
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
