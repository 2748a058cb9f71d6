// A second instance of every role beside the first: what they do must be the same (P09).
import type { Instruction, Machine } from '../../machine/index.ts';
import { CATALOGUE, type Op } from '../../op/index.ts';
import { Unfolding, type Divergence, type Program } from '../../program/index.ts';
import type { Resolver, StepId, Steps } from '../../program/index.ts';
import type { Unfolded } from './unfolded.ts';

/** The operations of each role that are compared (bound `twin-steps`). */
export const TWIN_STEPS = 200;
/**
 * What the calls of the kernel for one role may declare together (bound `twin-declarations`): each
 * round of a loop asks for one, and with hundreds of barriers they would take longest of all.
 */
const TWIN_DECLARATIONS = 1_500;
/** The calls that a role gets however much is declared. */
const FEWEST_CALLS = 3;

/**
 * Walks the unfolded roles beside a run in place. Rounds of a loop are fresh instances there, so a
 * round that changes a captured variable shows, too.
 */
export class Twin {
  readonly #unfolding: Unfolding;
  readonly #program: Program;
  readonly #machine: Machine;
  readonly #steps: StepId[] = [];
  /** By role: the step that it began with. */
  readonly #begun: StepId[] = [];
  readonly #left: number[] = [];
  /** By role: the calls of the kernel that are left. */
  readonly #calls: number[];
  /** Roles that have some left. */
  #watched: number;
  /** Where the two parted, if they did. */
  divergence: Divergence | null = null;

  constructor(program: Program, { machine, unfolding }: Unfolded) {
    this.#program = program;
    this.#machine = machine;
    this.#unfolding = unfolding;
    this.#left = program.roles.map(() => TWIN_STEPS);
    this.#watched = this.#left.length;
    const calls = Math.ceil(TWIN_DECLARATIONS / program.declarations.size);
    this.#calls = program.roles.map(() => Math.max(FEWEST_CALLS, calls));
  }

  /** Whether some role's operations are still compared. */
  get isWatching(): boolean {
    return this.#watched > 0;
  }

  get resolver(): Resolver {
    return this.#unfolding.resolver;
  }

  #begin(role: number): StepId {
    return (this.#begun[role] = this.#unfolding.entry(role));
  }

  /** Whether the twin of `role` makes `op` next, too, or ends where it is `null`. */
  agrees(role: number, op: Op | null, answer: number): boolean {
    if (this.#left[role] === 0) return true;
    if (this.#calls[role]! <= 0) this.#left[role] = 1;
    if (--this.#left[role]! === 0) this.#watched--;
    const before = this.#unfolding.instances;
    const step = (this.#steps[role] ??= this.#begin(role));
    const instruction = this.#unfolding.instruction(step);
    const found = op === null ? null : this.resolver.resolve(op, role);
    if (found !== instruction || this.#unfolding.misuse(step) !== null) {
      const [expectedAt, rule] = [this.#unfolding.position(step), 'nondeterministic-role'] as const;
      this.divergence = { rule, role, expected: step, expectedAt, found, foundAt: undefined };
      return false;
    }
    if (found !== null) this.#steps[role] = this.#unfolding.follow(step, answer);
    this.#calls[role]! -= this.#unfolding.instances - before;
    return true;
  }

  /**
   * Whether every role begins now as it began beside the run: what others did to variables of the
   * module in between shows here at the latest.
   */
  isStable(): boolean {
    const again = new Unfolding(this.#program, this.#machine);
    return this.#begun.every((entry, role) => {
      let [before, now] = [entry, again.entry(role)];
      for (let steps = 0; steps < TWIN_STEPS; steps++) {
        const instruction = this.#unfolding.instruction(before);
        const found = again.instruction(now);
        const [one, other] = [this.#unfolding.misuse(before), again.misuse(now)];
        if (describe(instruction) !== describe(found) || one?.rule !== other?.rule) {
          const [expectedAt, foundAt] = [this.#unfolding.position(before), again.position(now)];
          const rule = 'nondeterministic-role';
          this.divergence = { rule, role, expected: before, expectedAt, found, foundAt };
          return false;
        }
        if (instruction === null || CATALOGUE[instruction.kind]!.yields) return true;
        before = this.#unfolding.follow(before, 0);
        now = again.follow(now, 0);
      }
      return true;
    });
  }

  /** The steps of the twin, for an explanation. */
  get steps(): Steps {
    return this.#unfolding;
  }
}

/** Instructions of two unfoldings are never the same object; what they do is compared. */
function describe(instruction: Instruction | null): string {
  return JSON.stringify(instruction);
}
