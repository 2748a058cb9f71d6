// Each role to its end, alone and in place, beside its steps: the size that a user asked for.
import type { Position } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isOpen, isSilent, OpKind, type Op } from '@poundlock/core/internal/op';
import { Cursor, misuseOf } from '@poundlock/core/internal/program';
import type { Divergence, Program, StepId, Steps } from '@poundlock/core/internal/program';
import { newState, Registers } from '@poundlock/core/internal/system';
import type { ExecutionContext } from '../certify/index.ts';

/** Places are captured from so many steps before the one whose place is wanted. */
const CAPTURED_STEPS = 4_096;

/**
 * Runs roles whose answers depend on themselves alone (stages, counts), which is a tenth of the
 * work of a certificate. A proof for any number of items is about the steps of the roles; this
 * shows that the roles make these steps, up to the last item.
 */
export class AloneRun {
  /** Where a role left its steps. */
  divergence: Divergence | null = null;
  readonly #program: Program;
  readonly #context: ExecutionContext;
  #role = 0;
  #current: RoleRun | null = null;

  constructor(program: Program, context: ExecutionContext) {
    this.#program = program;
    this.#context = context;
  }

  /**
   * Makes about `budget` more steps. `ended`: every role came to its end, or one did something
   * else; `open`: an answer depends on other roles.
   */
  run(budget: number): 'running' | 'ended' | 'open' {
    for (let left = budget; left > 0; left--) {
      if (this.#role === this.#program.roles.length) return 'ended';
      const run = (this.#current ??= this.#start());
      switch (run.next()) {
        case 'step':
          break;
        case 'end':
          this.#role++;
          this.#current = null;
          break;
        case 'open':
          return 'open';
        case 'differs':
          this.divergence = this.#explain(run);
          return 'ended';
      }
    }
    return 'running';
  }

  #start(): RoleRun {
    return new RoleRun(this.#program, this.#context, this.#role);
  }

  /** Runs the role again up to there, to learn the place. */
  #explain({ steps, step, found, hasLooped }: RoleRun): Divergence {
    const again = this.#start();
    while (again.steps < steps) {
      again.captures = again.steps >= steps - CAPTURED_STEPS;
      if (again.next() !== 'step') break;
    }
    const isStable = again.next() === 'differs' && again.steps === steps && again.found === found;
    return {
      rule: isStable && hasLooped ? 'loop-captures' : 'nondeterministic-role',
      role: this.#role,
      expected: step,
      expectedAt: undefined,
      found,
      foundAt: isStable ? again.place : undefined,
    };
  }
}

/** One role, in place. */
class RoleRun {
  /** How many steps it took, and the step that comes next. */
  steps = 0;
  step: StepId;
  /** What the role did there. */
  found: Instruction | null = null;
  readonly #cursor: Cursor;
  readonly #steps: Steps;
  readonly #context: ExecutionContext;
  readonly #registers: Registers;
  readonly #words: Int32Array;
  readonly #role: number;
  #answer = 0;

  constructor(program: Program, context: ExecutionContext, role: number) {
    const { machine, layout, unfolding } = context;
    this.#role = role;
    this.#context = context;
    this.#steps = unfolding;
    this.#registers = new Registers(program, layout, machine);
    this.#words = newState(machine);
    this.#cursor = new Cursor(program.instance(role, false));
    this.step = unfolding.entry(role);
  }

  set captures(captures: boolean) {
    this.#cursor.context.capture = captures;
  }

  get place(): Position | undefined {
    return this.#cursor.place;
  }

  get hasLooped(): boolean {
    return this.#cursor.hasLooped;
  }

  next(): 'step' | 'end' | 'differs' | 'open' {
    const op = this.#cursor.nextOp(this.#answer);
    const steps = this.#steps;
    const misuse = op === null ? null : misuseOf(op);
    const found = op === null || misuse !== null ? null : this.#resolve(op);
    this.found = found;
    if (found !== steps.instruction(this.step)) return 'differs';
    if (found === null) return misuse?.rule === steps.misuse(this.step)?.rule ? 'end' : 'differs';
    if (isOpen(found.kind)) return 'open';
    this.#answer = this.#answerTo(found);
    this.step = steps.follow(this.step, this.#answer);
    this.steps++;
    return 'step';
  }

  #resolve(op: Op): Instruction {
    return this.#context.unfolding.resolver.resolve(op, this.#role);
  }

  #answerTo(instruction: Instruction): number {
    const { kind } = instruction;
    if (isSilent(kind)) return this.#registers.pass(this.#words, instruction);
    return kind === OpKind.waitStage ? this.#registers.stage(this.#words, instruction) : 0;
  }
}
