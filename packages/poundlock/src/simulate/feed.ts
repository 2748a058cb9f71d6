// Where a role's instructions come from: its generator, or a list that was recorded and edited.
import { InputError } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import type { Op } from '../op/index.ts';
import { Cursor, misuseOf, UncheckedOwnership, Unfolding } from '../program/index.ts';
import type { Misuse, Program, Resolver, StepId, Steps } from '../program/index.ts';

/** One role's instructions, one after the other. */
export interface Feed {
  /** The next instruction, when the one before was answered with `answer`; `null` at the end. */
  next(answer: number): Instruction | null;
  /** Rounds of loops that have ended. */
  readonly rounds: number;
  /** The step that the last instruction is; −1 where the role is driven in place. */
  readonly step: StepId;
}

/** A role that runs in place: its loops go round in one instance. */
export class CursorFeed implements Feed {
  readonly step = -1;
  readonly #cursor: Cursor;
  readonly #resolver: Resolver;
  readonly #role: number;
  #posted = 0;
  #yielded: Op | null = null;
  #hasStarted = false;

  constructor(program: Program, role: number, resolver: Resolver) {
    this.#cursor = new Cursor(program.instance(role, false, new UncheckedOwnership()));
    this.#resolver = resolver;
    this.#role = role;
  }

  get rounds(): number {
    return this.#cursor.rounds;
  }

  next(answer: number): Instruction | null {
    const { context } = this.#cursor;
    for (;;) {
      if (this.#posted < context.postedCount) {
        return this.#resolve(context.posted[this.#posted++]!);
      }
      if (this.#yielded !== null) {
        const op = this.#yielded;
        this.#yielded = null;
        return this.#resolve(op);
      }
      if (this.#hasStarted && this.#cursor.standing === null) return null;
      this.#yielded = this.#cursor.next(this.#hasStarted ? answer : undefined);
      this.#hasStarted = true;
      this.#posted = 0;
      if (this.#yielded === null && context.postedCount === 0) return null;
    }
  }

  #resolve(op: Op): Instruction {
    const { resolved } = op;
    if (resolved !== null) return resolved as Instruction;
    const misuse = misuseOf(op);
    if (misuse === null) return this.#resolver.resolve(op, this.#role);
    throw misused(misuse);
  }
}

/** A role as the steps of an unfolding, or of a list that is played back. */
export class StepsFeed implements Feed {
  readonly #steps: Steps;
  readonly #unfolding: Unfolding | null;
  step: StepId;
  #current: Instruction | null = null;
  rounds = -1;

  constructor(steps: Steps, role: number) {
    this.#steps = steps;
    this.#unfolding = steps instanceof Unfolding ? steps : null;
    this.step = steps.entry(role);
  }

  next(answer: number): Instruction | null {
    if (this.#current !== null) this.step = this.#steps.follow(this.step, answer);
    const { step } = this;
    if (this.#unfolding?.startsRound(step) === true) this.rounds++;
    this.#current = this.#steps.instruction(step);
    if (this.#current === null) this.#requireEnd(step);
    return this.#current;
  }

  #requireEnd(step: StepId): void {
    const misuse = this.#steps.misuse(step);
    if (misuse !== null) throw misused(misuse);
  }
}

/** After so many steps it shows whether a role comes back to steps that it made before. */
const PROBED_STEPS = 4096;

/**
 * Follows the steps of a role, which costs nothing once its loops have closed; a role that makes
 * new steps for ever is driven in place instead, so that memory does not grow.
 */
export class RoleFeed implements Feed {
  readonly #unfolding: Unfolding;
  readonly #program: Program;
  readonly #role: number;
  readonly #resolver: Resolver;
  /** The answers so far, while it is open how the role goes on; `null` afterwards. */
  #answers: number[] | null = [];
  readonly #sizeBefore: number;
  #feed: Feed;

  constructor(program: Program, role: number, unfolding: Unfolding) {
    this.#program = program;
    this.#role = role;
    this.#unfolding = unfolding;
    this.#resolver = unfolding.resolver;
    this.#sizeBefore = unfolding.nodes.size;
    this.#feed = new StepsFeed(unfolding, role);
  }

  get rounds(): number {
    return this.#feed.rounds;
  }

  get step(): StepId {
    return this.#feed.step;
  }

  next(answer: number): Instruction | null {
    if (this.#answers !== null) {
      this.#answers.push(answer);
      if (this.#answers.length > PROBED_STEPS) this.#decide(this.#answers);
    }
    return this.#feed.next(answer);
  }

  #decide(answers: readonly number[]): void {
    this.#answers = null;
    const made = this.#unfolding.nodes.size - this.#sizeBefore;
    if (made < PROBED_STEPS / 2) return;
    const driven = new CursorFeed(this.#program, this.#role, this.#resolver);
    for (let i = 0; i < answers.length - 1; i++) driven.next(answers[i]!);
    this.#feed = driven;
  }
}

function misused(misuse: Misuse): InputError {
  return new InputError(`a role misuses a handle (${misuse.rule}): run check on it`);
}
