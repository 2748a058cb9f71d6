// The rings that a watchdog looks after, and what the death of a thread means to them.
import type { SharedMemory } from '../../../core/src/base/index.ts';
import type { RingShape } from '../layout.ts';
import { SharedState } from '../shared.ts';

/** A ring that the watchdog looks after. */
export interface WatchedRing {
  readonly shape: RingShape;
  readonly memory: SharedMemory;
}

const MIN_PRUNED = 16;
const CAUSE = 'its thread was terminated, or it crashed';

export class Deaths {
  #rings: SharedState[] = [];
  #pruneAt = MIN_PRUNED;
  readonly #dead = new Set<number>();

  /** Looks after one more ring; those that are over are forgotten. */
  watch({ shape, memory }: WatchedRing): void {
    const shared = new SharedState(shape, memory);
    this.#rings.push(shared);
    for (const thread of this.#dead) this.#report(shared, thread);
    if (this.#rings.length < this.#pruneAt) return;
    this.#rings = this.#rings.filter((ring) => !ring.isOver);
    this.#pruneAt = Math.max(MIN_PRUNED, this.#rings.length * 2);
  }

  /** Whether all rings are over. */
  get isIdle(): boolean {
    return this.#rings.every((ring) => ring.isOver);
  }

  /** A thread has died: whatever it left open fails. */
  died(thread: number): void {
    this.#dead.add(thread);
    for (const shared of this.#rings) this.#report(shared, thread);
  }

  #report(shared: SharedState, thread: number): void {
    for (const index of shared.endpointsWith('watched', thread)) {
      if (shared.isOpen(index)) shared.endpointDied(index, CAUSE, null, false);
    }
  }
}
