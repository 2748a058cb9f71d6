// Steps compared with role instances that run in place beside them, as the program really runs.
import type { Position } from '../base/index.ts';
import type { Instruction } from '../machine/index.ts';
import { CATALOGUE, type Op } from '../op/index.ts';
import { Cursor } from './cursor.ts';
import { misuseOf } from './ownership.ts';
import type { Program } from './program.ts';
import type { Resolver } from './resolve.ts';
import { StepsDecorator } from './steps-decorator.ts';
import type { StepId, Steps } from './steps.ts';

/**
 * Where the instances that are compared come from: one call of the kernel, so that roles share what
 * the kernel's callback declares with `let`, or a call for each role.
 */
export type Calls = 'one-call' | 'call-each';

/** The first step that a role did not take in place. */
export interface Difference {
  readonly role: number;
  /** How many steps the role had made. */
  readonly at: number;
  readonly expected: StepId;
  /** What it did in place; `null` where it ended or misused a handle. */
  readonly found: Instruction | null;
  readonly foundAt: Position | undefined;
  readonly inLoop: boolean;
}

/** Thrown where a role differs: the run can not go on. */
export class InPlaceDifference extends Error {
  override readonly name = 'InPlaceDifference';
  readonly difference: Difference;

  constructor(difference: Difference) {
    super('a role differs in place');
    this.difference = difference;
  }
}

/** Thrown when a run has followed as many steps as it may. */
export class EnoughSteps extends Error {
  override readonly name = 'EnoughSteps';
}

/** The most steps of one role in a row that no other role can observe (bound `silent-in-place`). */
const MAX_SILENT_STEPS = 500_000;

/**
 * Follows steps and, with the same answers, role instances in which one round comes after the
 * other. It is used for one run: entries of roles and the steps after them, in their order.
 */
export class InPlaceSteps extends StepsDecorator {
  /** The steps followed by all roles. */
  followed = 0;
  readonly #resolver: Resolver;
  readonly #most: number;
  readonly #cursors: readonly Cursor[];
  readonly #count: number[];
  #silent = 0;

  /** A run ends after `most` steps; with `capture` a difference knows its place. */
  constructor(
    program: Program,
    steps: Steps,
    resolver: Resolver,
    calls: Calls,
    most: number,
    capture = false,
  ) {
    super(steps);
    this.#resolver = resolver;
    this.#most = most;
    const contexts =
      calls === 'one-call'
        ? program.instancesTogether(capture)
        : program.roles.map((_, role) => program.instance(role, capture));
    this.#cursors = contexts.map((context) => new Cursor(context));
    this.#count = contexts.map(() => 0);
  }

  /** Whether some role came to a loop. */
  get hasLooped(): boolean {
    return this.#cursors.some((cursor) => cursor.hasLooped);
  }

  override entry(role: number): StepId {
    const step = this.steps.entry(role);
    this.#compare(role, step, 0);
    return step;
  }

  override follow(step: StepId, answer: number): StepId {
    const { role, kind } = this.steps.instruction(step)!;
    const next = this.steps.follow(step, answer);
    this.#silent = CATALOGUE[kind]!.class === 'silent' ? this.#silent + 1 : 0;
    if (++this.followed > this.#most || this.#silent > MAX_SILENT_STEPS) throw new EnoughSteps();
    this.#compare(role, next, answer);
    return next;
  }

  #compare(role: number, expected: StepId, answer: number): void {
    const cursor = this.#cursors[role]!;
    const op = cursor.nextOp(answer);
    const misuse = op === null ? null : misuseOf(op);
    const wanted = this.steps.instruction(expected);
    const found = op === null || misuse !== null ? null : this.#resolve(op, role, wanted);
    const isSame = found === wanted && misuse?.rule === this.steps.misuse(expected)?.rule;
    if (isSame) {
      this.#count[role]!++;
      return;
    }
    const { hasLooped: inLoop, place: foundAt } = cursor;
    throw new InPlaceDifference({
      role,
      at: this.#count[role]!,
      expected,
      found,
      foundAt,
      inLoop,
    });
  }

  /** Instructions belong to one role: what an operation came to for this one still holds. */
  #resolve(op: Op, role: number, wanted: Instruction | null): Instruction {
    const isKnown = wanted !== null && op.resolved === wanted;
    return isKnown ? wanted : this.#resolver.resolveShared(op, role);
  }
}
