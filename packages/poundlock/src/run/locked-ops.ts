// Infrequent operations (named and cluster barriers, pools, lifetimes): performed by the machine's
// own code on the shared words, under one lock.
import { unreachable } from '@poundlock/core/internal/base';
import { BLOCKED, Fault, type Instruction, type Machine } from '@poundlock/core/internal/machine';
import { OpKind, type CellKind } from '@poundlock/core/internal/op';
import { advance, POISON } from '@poundlock/ring/internal';
import { Global, type Plan } from './plan.ts';
import type { FutexWaiter } from './futex-wait.ts';
import { RunOver } from './stop.ts';

/** How long a thread sleeps before it retries the lock, which is held for less. */
const LOCK_SLEEP_MS = 0.05;

/** The machine on the shared words. {@link perform} sets `machine.fault`. */
export class LockedOps {
  readonly #machine: Machine;
  readonly #words: Int32Array;
  readonly #state: Int32Array;
  readonly #waiter: FutexWaiter;

  constructor(plan: Plan, words: Int32Array, waiter: FutexWaiter) {
    this.#machine = plan.machine;
    this.#words = words;
    this.#state = plan.machineView(words);
    this.#waiter = waiter;
  }

  /**
   * Performs an instruction as soon as it is enabled. `record` is called with its result under the
   * lock, and once more for the second half of one that gathers threads (N01, N02).
   */
  perform(instruction: Instruction, record: (answer: number) => void): number {
    for (;;) {
      const answer = this.#whenEnabled(instruction, record);
      if (answer !== BLOCKED) return answer;
    }
  }

  /** Changes shared words under the lock and wakes all roles that wait for an event. */
  change<T>(work: (machine: Machine, state: Int32Array) => T): T {
    const result = this.#locked(() => work(this.#machine, this.#state));
    advance(this.#words, Global.event);
    return result;
  }

  /** Blocks until `isReady`, which a {@link change} by another thread makes true. */
  wait(isReady: (state: Int32Array) => boolean): void {
    this.#waiter.waitEvent(() => this.#locked(() => isReady(this.#state)));
  }

  /** L02: whether an operation from `cta` finds the words of `owner` alive. */
  isAlive(owner: number, cta: number): boolean {
    const at = this.#machine.layout.ctas + owner * 2;
    return this.#state[at] === 0 && (owner === cta || this.#state[at + 1]! > 0);
  }

  /** C01: an operation on a shared integer, in one step. */
  onCell(kind: CellKind, { target, stored, amount }: Instruction): number {
    const at = this.#machine.layout.cells + target;
    switch (kind) {
      case OpKind.load:
        return Atomics.load(this.#state, at);
      case OpKind.fetchAdd:
        return Atomics.add(this.#state, at, amount);
      case OpKind.store:
        Atomics.store(this.#state, at, stored);
        return 0;
      default:
        return unreachable(kind);
    }
  }

  /** S01, A02, L02: sets a fault if a buffer can not be accessed from `cta`. */
  touch(buffer: number, cta: number): void {
    this.#machine.fault = Fault.none;
    this.#machine.touchBuffer(this.#state, buffer, cta);
  }

  setCell(cell: number, value: number): void {
    Atomics.store(this.#state, this.#machine.layout.cells + cell, value);
  }

  #whenEnabled(instruction: Instruction, record: (answer: number) => void): number {
    let answer = 0;
    const issue = (): boolean => {
      if (!this.#machine.enabled(this.#state, instruction)) return false;
      answer = this.#machine.issue(this.#state, instruction);
      record(answer === BLOCKED ? 0 : answer);
      return true;
    };
    this.#waiter.waitEvent(() => this.#locked(issue));
    advance(this.#words, Global.event);
    return this.#machine.fault === Fault.none ? answer : 0;
  }

  #locked<T>(work: () => T): T {
    const words = this.#words;
    while (Atomics.compareExchange(words, Global.lock, 0, 1) !== 0) {
      if ((Atomics.load(words, Global.event) & POISON) !== 0) throw new RunOver();
      // The holder may be preempted.
      Atomics.wait(words, Global.lock, 1, LOCK_SLEEP_MS);
    }
    try {
      return work();
    } finally {
      Atomics.store(words, Global.lock, 0);
    }
  }
}
