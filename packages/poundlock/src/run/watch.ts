// Sees from outside that no role can ever move again, by what they wait for and not by a clock.
import type { Program } from '@poundlock/core/internal/program';
import { hasPassed, PHASE_SHIFT } from '@poundlock/ring/internal';
import { Global, RoleWord, RoleStatus, type Plan } from './plan.ts';

/** Tries that said no, and loads, before a role is suspected to poll for ever. */
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
   * Whether every role that has not ended sleeps, and sleeps for something that has not happened.
   * A sleeper counts a wake before it moves, so equal counts before and after mean that nobody
   * moved meanwhile; and what sleepers wait for, only movers bring.
   */
  isStuck(): boolean {
    const before = this.#wakes();
    let living = 0;
    for (let role = 0; role < this.#program.roles.length; role++) {
      const status = this.#status(role);
      if (status === RoleStatus.running) return false;
      if (status === RoleStatus.ended) continue;
      // One that waits to be spawned is moved by a role that runs.
      if (status === RoleStatus.blocked && this.#canMove(role)) return false;
      living++;
    }
    const after = this.#wakes();
    return living > 0 && before.every((wakes, role) => wakes === after[role]);
  }

  /** Whether nobody moves but roles that poll, as far as one look can tell. */
  mayPollForEver(): boolean {
    return this.#program.roles.every((_, role) => {
      const status = this.#status(role);
      if (status !== RoleStatus.running)
        return status !== RoleStatus.blocked || !this.#canMove(role);
      return this.#words[this.#plan.role(role) + RoleWord.polls]! >= MANY_POLLS;
    });
  }

  /** Whether a role's trace goes on: it runs. */
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
