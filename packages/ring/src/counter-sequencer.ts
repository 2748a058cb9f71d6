// The sequencer of a ring with one producer and one consumer: one counter for each side. Stages are
// filled and freed in order there, so counters replace barriers, each of which costs a cache line.
import type { DeferredWakeups } from './deferred-wakeups.ts';
import type { RingSide } from './errors.ts';
import { MARKED, oldestStage, TAKEN_SHIFT as SHIFT_OF_TAKEN } from './held-stages.ts';
import { EndpointWord, type RingLayout } from './layout.ts';
import type { SharedState } from './shared.ts';
import { ReleaseResult, type Sequencer } from './sequencer.ts';
import type { WaitTarget } from './wait.ts';
import { MARKS, PHASE_SHIFT, POISON, restoreMarks } from './futex-word.ts';

// V8 reads an import at each use, but folds constants of the module that it compiles.
const SHIFT: number = PHASE_SHIFT;
const DONE: ReleaseResult = ReleaseResult.done;
const ALL_MARKS: number = MARKS;
const TAKEN_SHIFT: number = SHIFT_OF_TAKEN;

export class CounterSequencer implements Sequencer {
  stage = 0;
  /** What a dead thread had taken, this one takes again in order. */
  readonly inherited = 0;
  readonly #words: Int32Array;
  readonly #stages: number;
  /** The words of this side's counter and of the other's. */
  readonly #ownAt: number;
  readonly #peerAt: number;
  /** How many stages this side may be ahead of the other: all of them for a producer. */
  readonly #lead: number;
  /** Stages taken so far, and the last value read of the other side's count; both modulo 2^27. */
  #taken = 0;
  #peerCount = 0;
  /** The word that records what is taken, so that other threads can report it after a crash. */
  readonly #positionAt: number;
  /** Stages released so far, modulo 2^27: the value of this side's counter. */
  #released = 0;
  /** The next stage to release. A stage released out of order is marked and published later. */
  #oldest = 0;
  readonly #marksAt: number;
  #earlyCount = 0;
  readonly #waitTarget: WaitTarget;
  readonly #wakeups: DeferredWakeups | null;

  constructor(shared: SharedState, side: RingSide, index: number, wakeups: DeferredWakeups | null) {
    const { shape, layout, words } = shared;
    const isProducer = side === 'producer';
    this.#words = words;
    this.#wakeups = wakeups;
    this.#stages = shape.stages;
    this.#ownAt = layout.counter(side);
    this.#peerAt = layout.counter(isProducer ? 'consumer' : 'producer');
    this.#lead = isProducer ? shape.stages : 0;
    this.#positionAt = layout.endpoint(index) + EndpointWord.position;
    this.#marksAt = layout.endpoint(index) + EndpointWord.marks;
    this.#waitTarget = { at: this.#peerAt, phase: 0, isCount: true, registerAt: -1, register: 0 };
    this.#continue(index, layout);
  }

  /**
   * Continues where an earlier endpoint of this place has ended: what that had taken and not
   * released is taken again.
   */
  #continue(index: number, layout: RingLayout): void {
    const words = this.#words;
    this.#released = Atomics.load(words, this.#ownAt) >>> SHIFT;
    this.#taken = this.#released;
    // Nothing is known to be ready: the first look reads the word, and with it a mark of failure.
    this.#peerCount = this.#taken - this.#lead;
    this.stage = oldestStage(words, layout, index);
    this.#oldest = this.stage;
    words.fill(0, this.#marksAt, this.#marksAt + this.#stages);
    this.#recordPosition();
  }

  #recordPosition(): void {
    this.#words[this.#positionAt] = (this.#taken << TAKEN_SHIFT) | this.stage;
  }

  /** Reads shared memory only when the last known count is used up. */
  isReady(): boolean {
    return (this.#peerCount + this.#lead - this.#taken) << SHIFT > 0 || this.#isReadyNow();
  }

  #isReadyNow(): boolean {
    const seen = Atomics.load(this.#words, this.#peerAt);
    if ((seen & POISON) !== 0) return false;
    this.#peerCount = seen >>> SHIFT;
    return (this.#peerCount + this.#lead - this.#taken) << SHIFT > 0;
  }

  refresh(): void {}

  readyCount(most: number): number {
    if (!this.isReady()) return 0;
    if (this.#aheadCount < most) this.#isReadyNow();
    return Math.min(most, this.#aheadCount);
  }

  /** Stages that can be claimed, by the last known count of the other side. */
  get #aheadCount(): number {
    return ((this.#peerCount + this.#lead - this.#taken) << SHIFT) >> SHIFT;
  }

  waitTarget(ahead: number): WaitTarget {
    this.#waitTarget.phase = this.#taken - this.#lead + ahead;
    return this.#waitTarget;
  }

  claim(): number {
    const { stage } = this;
    const next = stage + 1 === this.#stages ? 0 : stage + 1;
    this.stage = next;
    this.#taken = (this.#taken + 1) | 0;
    this.#words[this.#positionAt] = (this.#taken << TAKEN_SHIFT) | next;
    return stage;
  }

  claimAll(count: number): number {
    const { stage } = this;
    this.stage = (stage + count) % this.#stages;
    this.#taken = (this.#taken + count) | 0;
    this.#recordPosition();
    return stage;
  }

  holds(stage: number): boolean {
    const after = stage - this.#oldest;
    const number = after < 0 ? after + this.#stages : after;
    return number < this.#heldCount && this.#words[this.#marksAt + stage] !== MARKED;
  }

  /** Stages taken and not yet published, including those released out of order. */
  get #heldCount(): number {
    return (this.#taken - this.#released) & 0xffff;
  }

  /** Uncommon cases take the slow path, so that V8 inlines this one. */
  release(stage: number): ReleaseResult {
    if (stage !== this.#oldest || this.#earlyCount > 0 || this.#released === this.#taken) {
      return this.releaseAll(stage, 1);
    }
    this.#oldest = stage + 1 === this.#stages ? 0 : stage + 1;
    return this.#publish(1);
  }

  releaseAll(stage: number, count: number): ReleaseResult {
    for (let number = 0; number < count; number++) {
      if (!this.holds((stage + number) % this.#stages)) return ReleaseResult.notHeld;
    }
    const words = this.#words;
    const marks = this.#marksAt;
    if (stage !== this.#oldest) {
      for (let number = 0; number < count; number++) {
        words[marks + ((stage + number) % this.#stages)] = MARKED;
      }
      this.#earlyCount += count;
      return (Atomics.load(words, this.#ownAt) & POISON) === 0
        ? ReleaseResult.done
        : ReleaseResult.poisoned;
    }
    let released = count;
    let oldest = (stage + count) % this.#stages;
    while (this.#earlyCount > 0 && words[marks + oldest] === MARKED) {
      words[marks + oldest] = 0;
      this.#earlyCount--;
      released++;
      oldest = oldest + 1 === this.#stages ? 0 : oldest + 1;
    }
    this.#oldest = oldest;
    return this.#publish(released);
  }

  #publish(count: number): ReleaseResult {
    this.#released = (this.#released + count) | 0;
    const seen = Atomics.exchange(this.#words, this.#ownAt, this.#released << SHIFT);
    return (seen & ALL_MARKS) === 0 ? DONE : this.#restoreMarks(seen);
  }

  #restoreMarks(seen: number): ReleaseResult {
    restoreMarks(this.#words, this.#ownAt, seen, this.#wakeups);
    return (seen & POISON) === 0 ? ReleaseResult.done : ReleaseResult.poisoned;
  }

  unclaim(stage: number): boolean {
    const newest = this.stage === 0 ? this.#stages - 1 : this.stage - 1;
    if (stage !== newest || !this.holds(stage)) return false;
    this.stage = newest;
    this.#taken = (this.#taken - 1) | 0;
    this.#recordPosition();
    return true;
  }

  drainTargets(): WaitTarget[] {
    return [{ ...this.#waitTarget, phase: this.#taken - 1 }];
  }

  withdraw(): void {}
}
