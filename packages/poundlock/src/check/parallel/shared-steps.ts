// Steps with one meaning in every thread: each unfolds by itself, and all in the same order.
import { BoundError } from '@poundlock/core/internal/base';
import { StepsDecorator, type StepId, type Steps } from '@poundlock/core/internal/program';
import { Control } from './control.ts';

/** Ways that can be written down (bound `shared-steps`). */
export const MAX_LOGGED = 1 << 21;

/**
 * Numbers of steps depend on the order in which they are unfolded. The log, which threads share,
 * lists the edges in the order of their first use: a step and an answer, or a role's entry. A
 * thread that reaches an unknown edge follows all that are in the log first, then adds its own.
 */
export class SharedSteps extends StepsDecorator {
  readonly #control: Int32Array;
  readonly #log: Int32Array;
  readonly #entries: StepId[] = [];
  #done = 0;

  constructor(steps: Steps, control: Int32Array, log: Int32Array) {
    super(steps);
    this.#control = control;
    this.#log = log;
  }

  override entry(role: number): StepId {
    return this.#entries[role] ?? this.#inOrder(-1 - role, 0);
  }

  override follow(step: StepId, answer: number): StepId {
    const known = this.steps.known(step, answer);
    return known >= 0 ? known : this.#inOrder(step, answer);
  }

  /** Goes all ways that others have gone, so that their steps are known here. */
  catchUp(): void {
    const length = Atomics.load(this.#control, Control.logLength);
    while (this.#done < length) {
      const at = this.#done++;
      this.#go(this.#log[2 * at]!, this.#log[2 * at + 1]!);
    }
  }

  #inOrder(step: number, answer: number): StepId {
    this.#lock();
    try {
      this.catchUp();
      const known = step < 0 ? (this.#entries[-1 - step] ?? -1) : this.known(step, answer);
      if (known >= 0) return known;
      if (this.#done === MAX_LOGGED) {
        throw new BoundError('shared-steps', MAX_LOGGED, 'the program has too many steps');
      }
      const found = this.#go(step, answer);
      this.#log[2 * this.#done] = step;
      this.#log[2 * this.#done + 1] = answer;
      this.#done++;
      Atomics.store(this.#control, Control.logLength, this.#done);
      return found;
    } finally {
      this.#unlock();
    }
  }

  #go(step: number, answer: number): StepId {
    if (step >= 0) return this.steps.follow(step, answer);
    return (this.#entries[-1 - step] = this.steps.entry(-1 - step));
  }

  #lock(): void {
    while (Atomics.compareExchange(this.#control, Control.logLock, 0, 1) !== 0) {
      Atomics.wait(this.#control, Control.logLock, 1);
    }
  }

  #unlock(): void {
    Atomics.store(this.#control, Control.logLock, 0);
    Atomics.notify(this.#control, Control.logLock, 1);
  }
}
