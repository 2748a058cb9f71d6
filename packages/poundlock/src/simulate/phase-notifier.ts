// Notifies an observer once of each completed barrier phase.
import type { Machine } from '@poundlock/core/internal/machine';
import type { Observer } from './observer.ts';

/** Reports each completed phase once. */
export class PhaseNotifier {
  readonly #machine: Machine;
  readonly #words: Int32Array;
  readonly #observer: Observer;
  /** By barrier: how many phases have been reported. */
  readonly #notified: Int32Array;

  constructor(machine: Machine, words: Int32Array, observer: Observer) {
    this.#machine = machine;
    this.#words = words;
    this.#observer = observer;
    this.#notified = new Int32Array(machine.shape.barriers.length * machine.shape.ctas);
  }

  /** Reports phases completed at `time`: by an operation of `role`, or by a flight if −1. */
  notify(barrier: number, time: number, role: number): void {
    const completed = this.#machine.completed(this.#words, barrier);
    while (this.#notified[barrier]! < completed) {
      this.#notified[barrier]! += 1;
      this.#observer.phaseCompleted(barrier, time, role);
    }
  }
}
