// Waits of a role: spins first, then publishes what it waits for in shared memory and sleeps.
import {
  hasPassed,
  MAX_SLEEP_MS,
  AdaptiveSpin,
  PHASE_SHIFT,
  POISON,
  sleep,
} from '@poundlock/ring/internal';
import type { DeferredWakeups, SpinLimits } from '@poundlock/ring/internal';
import { Global, RoleWord, RoleStatus, STATUS_STEP, type Plan } from './plan.ts';
import { RunOver } from './stop.ts';

/** The longest sleep: a waiter looks again, as a safeguard against lost wake-ups. */
const MAX_WAIT_MS = 1000;

/** The waits of one role. */
export class FutexWaiter {
  readonly #words: Int32Array;
  readonly #plan: Plan;
  readonly #role: number;
  readonly #spin: AdaptiveSpin;
  readonly #sleepMs: number;
  /** Whether its waits spin before they sleep. */
  readonly spins: boolean;
  /** Wake-ups that the role defers until it sleeps; `null` if it defers none. */
  readonly deferred: DeferredWakeups | null;

  /** By {@link Side}: whether the role has waited for a stage there. */
  readonly sides: [produce: boolean, consume: boolean] = [false, false];

  constructor(
    plan: Plan,
    words: Int32Array,
    role: number,
    limits: SpinLimits,
    deferred: DeferredWakeups | null,
  ) {
    this.deferred = deferred;
    this.#sleepMs = deferred === null ? MAX_WAIT_MS : MAX_SLEEP_MS;
    this.#plan = plan;
    this.#words = words;
    this.#role = plan.role(role);
    this.spins = limits.plain > 0;
    const isMiddleThread = (): boolean => this.sides[0] && this.sides[1];
    this.#spin = new AdaptiveSpin(limits, isMiddleThread, false);
  }

  /** Whether a phase of a physical barrier has completed. */
  isOver(barrier: number, phase: number, isCounter: boolean): boolean {
    const seen = Atomics.load(this.#words, this.#plan.barrier(barrier));
    return hasPassed(seen, phase, isCounter);
  }

  /** Blocks until a phase of a physical barrier has completed. */
  waitPhase(barrier: number, phase: number, isCounter: boolean): void {
    const words = this.#words;
    const at = this.#plan.barrier(barrier);
    if (this.#isOver(at, phase, isCounter)) return;
    this.#spin.spin(words, at, phase, isCounter);
    if (this.#isOver(at, phase, isCounter)) return;
    words[this.#role + RoleWord.barrier] = barrier;
    words[this.#role + RoleWord.phase] = phase;
    words[this.#role + RoleWord.isCounter] = Number(isCounter);
    this.deferred?.flush();
    this.#block(RoleStatus.blocked);
    for (;;) {
      const seen = Atomics.load(words, at);
      if ((seen & POISON) !== 0) throw new RunOver();
      if (hasPassed(seen, phase, isCounter)) break;
      sleep(words, at, seen, this.#sleepMs);
    }
    this.#block(RoleStatus.running);
  }

  #isOver(at: number, phase: number, isCounter: boolean): boolean {
    const seen = Atomics.load(this.#words, at);
    if ((seen & POISON) !== 0) throw new RunOver();
    return hasPassed(seen, phase, isCounter);
  }

  /** Waits briefly for a phase, as a try does: `false` if it has not completed by then. */
  tryPhase(barrier: number, phase: number, isCounter: boolean, timeoutMs: number): boolean {
    if (this.isOver(barrier, phase, isCounter)) return true;
    const words = this.#words;
    const at = this.#plan.barrier(barrier);
    const seen = Atomics.load(words, at);
    if ((seen & POISON) !== 0) throw new RunOver();
    if (!hasPassed(seen, phase, isCounter)) {
      this.deferred?.flush();
      sleep(words, at, seen, timeoutMs);
    }
    return this.isOver(barrier, phase, isCounter);
  }

  /** Blocks until `isReady`, which changes only with an event: see `locked-ops.ts`. */
  waitEvent(isReady: () => boolean): void {
    const words = this.#words;
    words[this.#role + RoleWord.barrier] = -1;
    let isBlocked = false;
    for (;;) {
      const seen = Atomics.load(words, Global.event);
      if ((seen & POISON) !== 0) throw new RunOver();
      if (isReady()) break;
      words[this.#role + RoleWord.events] = seen >>> PHASE_SHIFT;
      this.deferred?.flush();
      if (!isBlocked) this.#block(RoleStatus.blocked);
      isBlocked = true;
      sleep(words, Global.event, seen, this.#sleepMs);
    }
    if (isBlocked) this.#block(RoleStatus.running);
  }

  /** Publishes whether the role is blocked; {@link Watch} compares the wake counts. */
  #block(status: RoleStatus): void {
    const words = this.#words;
    if (status === RoleStatus.running) Atomics.add(words, this.#role + RoleWord.wakes, 1);
    const from =
      (status === RoleStatus.blocked ? RoleStatus.running : RoleStatus.blocked) * STATUS_STEP;
    Atomics.add(words, this.#role + RoleWord.status, status * STATUS_STEP - from);
  }
}
