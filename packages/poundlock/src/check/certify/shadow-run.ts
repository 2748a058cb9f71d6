// Determinism check of a certificate: a second instance of every role must do the same (P09).
import type { Position } from '@poundlock/core/internal/base';
import type { Instruction, Machine } from '@poundlock/core/internal/machine';
import { CATALOGUE, type Op } from '@poundlock/core/internal/op';
import { IdleInstances, NondeterminismError, Unfolding } from '@poundlock/core/internal/program';
import type {
  Divergence,
  Program,
  Resolver,
  StepId,
  Steps,
} from '@poundlock/core/internal/program';
import type { ExecutionContext } from './execution-context.ts';

/** The fewest operations of each role that are compared (bound `shadow-steps`). */
const SHADOW_STEPS = 200;
/**
 * So many for each declaration: a stage is mostly three declarations and four operations, so that
 * more than a lap is compared. Where that takes more than the bound, a lap is out of reach.
 */
const STEPS_FOR_EACH = 2;
const MAX_SHADOW_STEPS = 400;
/**
 * What the calls of the kernel for one role may declare together (bound `shadow-declarations`):
 * each fresh round of a loop needs a call, which with hundreds of barriers would dominate the time.
 */
const SHADOW_DECLARATIONS = 1_000;
/** The calls that a role gets however much is declared. */
const FEWEST_CALLS = 3;

/** Whether what is declared is few enough for a lap of a ring to be compared. */
function comparesLap({ declarations }: Program): boolean {
  return STEPS_FOR_EACH * declarations.size <= MAX_SHADOW_STEPS;
}

/** The operations of each role that are compared with its shadow run. */
export function shadowSteps(program: Program): number {
  if (!comparesLap(program)) return SHADOW_STEPS;
  return Math.max(SHADOW_STEPS, STEPS_FOR_EACH * program.declarations.size);
}

/**
 * Follows the unfolded roles beside a run in place. The first rounds of a loop are fresh instances
 * there, and the others share what instances these have left: each has seen other rounds than the
 * run, so that a round that changes a captured variable shows, too.
 */
export class ShadowRun {
  readonly #unfolding: Unfolding;
  readonly #idle = new IdleInstances();
  /** Whether rounds are compared beyond those that there are calls for. */
  readonly #sharesRounds: boolean;
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
  /** Where the two diverged, if they did. */
  divergence: Divergence | null = null;

  constructor(program: Program, { machine, unfolding, areFresh }: ExecutionContext) {
    this.#program = program;
    this.#machine = machine;
    this.#unfolding = unfolding;
    this.#sharesRounds = !areFresh && comparesLap(program);
    this.#left = program.roles.map(() => shadowSteps(program));
    this.#watched = this.#left.length;
    const calls = Math.ceil(SHADOW_DECLARATIONS / program.declarations.size);
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

  /** Whether the shadow run of `role` makes `op` next, too, or ends where it is `null`. */
  agrees(role: number, op: Op | null, answer: number): boolean {
    if (this.#left[role] === 0) return true;
    // Rounds that can not share an instance have used up what there was for them.
    if (this.#calls[role]! < (this.#sharesRounds ? 0 : 1)) this.#left[role] = 1;
    if (--this.#left[role]! === 0) this.#watched--;
    const before = this.#unfolding.instances;
    this.#unfolding.idle = this.#idle;
    this.#idle.areUsed = this.#sharesRounds && this.#calls[role]! <= 0;
    try {
      return this.#compare(role, op, answer);
    } catch (error) {
      if (!(error instanceof NondeterminismError)) throw error;
      this.#diverge(role, error.expected, error.found);
      return false;
    } finally {
      // No other user of the unfolding may reuse a round that is not fresh, or retain instances.
      this.#unfolding.idle = null;
      this.#calls[role]! -= this.#unfolding.instances - before;
    }
  }

  #compare(role: number, op: Op | null, answer: number): boolean {
    const step = (this.#steps[role] ??= this.#begin(role));
    const instruction = this.#unfolding.instruction(step);
    const found = op === null ? null : this.resolver.resolve(op, role);
    if (found !== instruction || this.#unfolding.misuse(step) !== null) {
      this.#diverge(role, step, found);
      return false;
    }
    if (found !== null) this.#steps[role] = this.#unfolding.follow(step, answer);
    return true;
  }

  #diverge(role: number, expected: StepId, found: Instruction | null, foundAt?: Position): void {
    const expectedAt = expected < 0 ? undefined : placeOf(this.#unfolding, expected);
    this.divergence = {
      rule: 'nondeterministic-role',
      role,
      expected,
      expectedAt,
      found,
      foundAt,
    };
  }

  /**
   * Whether every role begins now as it began beside the run: what others did to variables of the
   * module in between shows here at the latest.
   */
  isStable(): boolean {
    const again = new Unfolding(this.#program, this.#machine);
    return this.#begun.every((entry, role) => {
      let [before, now] = [entry, again.entry(role)];
      for (let steps = 0; steps < SHADOW_STEPS; steps++) {
        const instruction = this.#unfolding.instruction(before);
        const found = again.instruction(now);
        const [one, other] = [this.#unfolding.misuse(before), again.misuse(now)];
        if (describe(instruction) !== describe(found) || one?.rule !== other?.rule) {
          this.#diverge(role, before, found, placeOf(again, now));
          return false;
        }
        if (instruction === null || CATALOGUE[instruction.kind]!.yields) return true;
        before = this.#unfolding.follow(before, 0);
        now = again.follow(now, 0);
      }
      return true;
    });
  }

  /** The steps of the shadow run, for an explanation. */
  get steps(): Steps {
    return this.#unfolding;
  }
}

/** Instructions of two unfoldings are never the same object; what they do is compared. */
function describe(instruction: Instruction | null): string {
  return JSON.stringify(instruction);
}

/** The position of a step; `undefined` where the role does not reach it again. */
function placeOf(unfolding: Unfolding, step: StepId): Position | undefined {
  try {
    return unfolding.position(step);
  } catch (error) {
    if (error instanceof NondeterminismError) return undefined;
    throw error;
  }
}
