// What is to be decided: a program, a question about it, and its system once it is needed.
import type { Machine } from '@poundlock/core/internal/machine';
import { raiiSteps, Unfolding } from '@poundlock/core/internal/program';
import type { Divergence, Program, RepeatedStep, Steps } from '@poundlock/core/internal/program';
import { System } from '@poundlock/core/internal/system';
import type { ExecutionContext, FailedCondition } from './certify/index.ts';
import type { Engine, Question } from './options.ts';
import type { CertificateOutcome } from './outcome.ts';
import type { Search } from './search.ts';
import { layOutSpace, type Runnable, type SearchSpace } from './search-space.ts';

/** Makes the steps of all roles for a machine. */
export type MakeSteps = (program: Program, machine: Machine) => Steps;

/**
 * A program and a question about it. Deciders share what is expensive to make, and what the
 * attempt at a certificate has shown.
 */
export class Problem {
  readonly program: Program;
  readonly question: Question;
  /** What the attempt at a certificate came to; `null` while there was none. */
  certificate: CertificateOutcome | null = null;
  /** Makes the failed run once more, for a failure with its two operations. */
  failureAgain: (() => FailedCondition | null) | null = null;
  /** The steps that are unfolded already, for the next proof to start from. */
  context: ExecutionContext | null = null;
  /** What a role repeated without end in an attempt that reached a bound. */
  repeated: RepeatedStep | null = null;
  /** Whether some operation was found to have several results. */
  hasChoices = false;
  /** A search without reduction that a bound of few states ended, for the next to go on with. */
  begun: Search | null = null;
  readonly #makeSteps: MakeSteps | null;
  #runnable: Runnable | null = null;
  #space: SearchSpace | null = null;

  constructor(program: Program, question: Question, makeSteps: MakeSteps | null = null) {
    this.program = program;
    this.question = question;
    this.#makeSteps = makeSteps;
  }

  /** Where steps come from: the roles, roles with their releases moved, or a caller's lists. */
  get origin(): 'roles' | 'raii' | 'lists' {
    if (this.#makeSteps !== null) return 'lists';
    return this.program.kernel.ownership === 'explicit' ? 'roles' : 'raii';
  }

  /** The engine that decides. */
  get engine(): Engine {
    return this.question.engine ?? 'auto';
  }

  /** The system that the searches share. */
  get runnable(): Runnable {
    return (this.#runnable ??= this.#makeRunnable());
  }

  /** The steps that a search has unfolded, `null` while there was none. */
  get unfolding(): Unfolding | null {
    return this.#runnable?.unfolding ?? null;
  }

  /** The states of that system, after a sample run. */
  get space(): SearchSpace {
    return (this.#space ??= layOutSpace(this.runnable));
  }

  /** A system with role instances of its own; recorded lists take long to make and are shared. */
  ownSystem(): System {
    return (this.origin === 'roles' ? this.#makeRunnable() : this.runnable).system;
  }

  #makeRunnable(): Runnable {
    const [makeSteps, { ownership }] = [this.#makeSteps, this.program.kernel];
    let unfolding: Unfolding | null = null;
    let divergence: Divergence | null = null;
    const system = new System(this.program, (program, machine) => {
      if (makeSteps !== null) return makeSteps(program, machine);
      if (ownership === 'explicit') return (unfolding = new Unfolding(program, machine));
      const recorded = raiiSteps(program, machine);
      divergence = recorded.divergence;
      return recorded.steps;
    });
    system.machine.isStrictAtEnds = this.question.memory === 'isa';
    return { system, unfolding, divergence };
  }
}
