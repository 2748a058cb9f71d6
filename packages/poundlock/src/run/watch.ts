// Detects from outside that no role can move, by what the roles wait for instead of by a timeout.
import type { Program } from '@poundlock/core/internal/program';
import { hasPassed, PHASE_SHIFT } from '@poundlock/ring/internal';
import { Global, RoleWord, RoleStatus, type Plan } from './plan.ts';

/** Failed tries and loads before a role is suspected of polling forever. */
const MANY_POLLS = 100;

/** Watches the roles of one run. */
export class Watch {
  readonly #program: Program;
  readonly #plan: Plan;
  readonly #words: Int32Array;

  constructor(program: Program, plan: Plan, words: Int32Array) {
    this.#program = program;
    this.#plan = plan;
    this.#words = words;
  }

  /**
   * Whether every role that has not ended waits for a condition that is false. A role counts a wake
   * before it moves, so equal counts before and after mean that no role moved meanwhile; and only a
   * moving role can make a condition true.
   */
  isStuck(): boolean {
    const before = this.#wakes();
    let living = 0;
    for (let role = 0; role < this.#program.roles.length; role++) {
      const status = this.#status(role);
      if (status === RoleStatus.running) return false;
      if (status === RoleStatus.ended) continue;
      // A role that waits to be spawned depends on a running role.
      if (status === RoleStatus.blocked && this.#canMove(role)) return false;
      living++;
    }
    const after = this.#wakes();
    return living > 0 && before.every((wakes, role) => wakes === after[role]);
  }

  /** Whether only polling roles move, as far as one look shows. */
  mayPollForEver(): boolean {
    return this.#program.roles.every((_, role) => {
      const status = this.#status(role);
      if (status !== RoleStatus.running)
        return status !== RoleStatus.blocked || !this.#canMove(role);
      return this.#words[this.#plan.role(role) + RoleWord.polls]! >= MANY_POLLS;
    });
  }

  /** Whether a role runs, so that its trace grows. */
  isRunning(role: number): boolean {
    return this.#status(role) === RoleStatus.running;
  }

  #status(role: number): RoleStatus {
    const word = Atomics.load(this.#words, this.#plan.role(role) + RoleWord.status);
    return (word >>> PHASE_SHIFT) as RoleStatus;
  }

  #wakes(): number[] {
    return this.#program.roles.map((_, role) => {
      return Atomics.load(this.#words, this.#plan.role(role) + RoleWord.wakes);
    });
  }

  #canMove(role: number): boolean {
    const words = this.#words;
    const at = this.#plan.role(role);
    const barrier = words[at + RoleWord.barrier]!;
    if (barrier < 0) {
      const events = Atomics.load(words, Global.event) >>> PHASE_SHIFT;
      return events !== words[at + RoleWord.events];
    }
    const isCounter = words[at + RoleWord.isCounter] === 1;
    const seen = Atomics.load(words, this.#plan.barrier(barrier));
    return hasPassed(seen, words[at + RoleWord.phase]!, isCounter);
  }
}
