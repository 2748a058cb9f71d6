// A second instance of every role beside the first: what they do must be the same (P09).
import type { Machine } from '../../machine/index.ts';
import type { Op } from '../../op/index.ts';
import { Unfolding, type Divergence, type Program } from '../../program/index.ts';
import type { Resolver, StepId, Steps } from '../../program/index.ts';

/** The operations of each role that are compared (bound `twin-steps`). */
export const TWIN_STEPS = 200;

/**
 * Walks the unfolded roles beside a run in place. Rounds of a loop are fresh instances there, so a
 * round that changes a captured variable shows, too.
 */
export class Twin {
  readonly #unfolding: Unfolding;
  readonly #steps: StepId[] = [];
  readonly #left: number[] = [];
  /** Where the two parted, if they did. */
  divergence: Divergence | null = null;

  constructor(program: Program, machine: Machine) {
    this.#unfolding = new Unfolding(program, machine);
    this.#left = program.roles.map(() => TWIN_STEPS);
  }

  get resolver(): Resolver {
    return this.#unfolding.resolver;
  }

  /** Whether the twin of `role` makes `op` next, too, or ends where it is `null`. */
  agrees(role: number, op: Op | null, answer: number): boolean {
    if (this.#left[role] === 0) return true;
    this.#left[role]!--;
    const step = (this.#steps[role] ??= this.#unfolding.entry(role));
    const instruction = this.#unfolding.instruction(step);
    const found = op === null ? null : this.resolver.resolve(op, role);
    if (found !== instruction || this.#unfolding.misuse(step) !== null) {
      const [expectedAt, rule] = [this.#unfolding.position(step), 'nondeterministic-role'] as const;
      this.divergence = { rule, role, expected: step, expectedAt, found, foundAt: undefined };
      return false;
    }
    if (found !== null) this.#steps[role] = this.#unfolding.follow(step, answer);
    return true;
  }

  /** The steps of the twin, for an explanation. */
  get steps(): Steps {
    return this.#unfolding;
  }
}
