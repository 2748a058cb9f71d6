// Brings roles from one visible operation to the next, past what no other role can observe.
import type { Alarm } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { MAX_SILENT, Stand } from '@poundlock/core/internal/program';
import type { Program } from '@poundlock/core/internal/program';
import { MISSTEP, type Registers } from '@poundlock/core/internal/system';
import type { Actor } from './actor.ts';
import { ruleBrokenBy } from './errors.ts';
import type { RoleTimes } from './role-times.ts';
import { PassKind, type StepNode } from './step-graph.ts';
import type { Units } from './units.ts';
import type { Watch } from './watch.ts';

// V8 folds the constants of a module into its code, and loads those of others at every use.
const { visible: VISIBLE, silent: SILENT } = Stand;
const { count: COUNT, compute: COMPUTE, step: STEP } = PassKind;

/** The run whose roles are moved on. */
export interface SteppedRun {
  readonly program: Program;
  readonly words: Int32Array;
  readonly registers: Registers;
  readonly roleTimes: RoleTimes;
  readonly units: Units;
  readonly watch: Watch | null;
}

/** Follows the steps of the roles of a run, and performs the silent ones. */
export class RoleSteps {
  readonly #program: Program;
  readonly #alarm: Alarm;
  readonly #words: Int32Array;
  readonly #registers: Registers;
  readonly #roleTimes: RoleTimes;
  readonly #units: Units;
  readonly #watch: Watch | null;

  constructor({ program, words, registers, roleTimes, units, watch }: SteppedRun) {
    this.#program = program;
    this.#alarm = program.alarm;
    this.#words = words;
    this.#registers = registers;
    this.#roleTimes = roleTimes;
    this.#units = units;
    this.#watch = watch;
  }

  /**
   * Brings a role from an operation that has taken effect to its next visible one; returns what it
   * has come to. Its time is a local number here: a field would be stored and loaded at every step.
   */
  moveOn(actor: Actor, node: StepNode, before: number): Stand {
    this.#alarm.tick();
    const roleTimes = this.#roleTimes;
    const paid = roleTimes.priceOf(node);
    const isHeld = node.isHeld === true || paid.isLoad === true;
    if (isHeld) roleTimes.leave(actor, node, this.#units);
    let { at: time, last } = actor;
    if (!isHeld && paid.takesTime === true) {
      time += paid.after;
      last = paid;
    }
    let next = node;
    let answer = before;
    // As the driver does: its call of any host would cost a fifth of the time of long runs.
    for (let left = MAX_SILENT; ; left--) {
      next =
        (actor.isSettled === true ? next.known(answer) : null) ??
        this.#findNext(actor, next, answer);
      if (next.startsRound === true) last = roleTimes.idle;
      if (next.stand !== SILENT || left === 0) break;
      if (next.passKind === COUNT) {
        answer = next.countRegister!.more(this.#words);
      } else if (next.passKind === COMPUTE) {
        const start = time;
        if (actor.loaded > time) time = actor.loaded;
        time += roleTimes.durationOf(next.instruction!.cycles, last);
        last = roleTimes.idle;
        answer = 0;
        if (this.#watch !== null) this.#watch.computed(actor, next, start, time);
      } else answer = this.#passStep(actor, next);
    }
    actor.node = next;
    actor.last = last;
    if (next.stand === VISIBLE) roleTimes.reach(actor, next, time);
    else actor.at = time;
    return next.stand;
  }

  #findNext(actor: Actor, node: StepNode | null, answer: number): StepNode {
    const { source } = actor;
    const next = source.next(node, answer);
    actor.isSettled = source.isSettled;
    return next;
  }

  /** Performs a silent operation; returns its answer. */
  #passStep(actor: Actor, node: StepNode): number {
    switch (node.passKind) {
      case COUNT:
        return node.countRegister!.more(this.#words);
      case STEP:
        node.stepRegister!.step(this.#words);
        return 0;
      case COMPUTE:
        this.#compute(actor, node);
        return 0;
      case PassKind.silent:
      case PassKind.visible:
        return this.#passRegister(actor.role, node.instruction!);
    }
  }

  /** Puts a role at its first step. */
  enter(actor: Actor): Stand {
    return this.#enterNext(actor, null, 0);
  }

  /** Performs the silent operation that a role is at, and moves the role on by one step. */
  pass(actor: Actor): Stand {
    const node = actor.node!;
    return this.#enterNext(actor, node, this.#passStep(actor, node));
  }

  #enterNext(actor: Actor, node: StepNode | null, answer: number): Stand {
    const next = this.#findNext(actor, node, answer);
    actor.node = next;
    if (next.startsRound) this.#roleTimes.startRound(actor);
    return next.stand;
  }

  #passRegister(role: number, instruction: Instruction): number {
    const answer = this.#registers.pass(this.#words, instruction);
    if (answer === MISSTEP) throw ruleBrokenBy(this.#program.roles[role]!, instruction);
    return answer;
  }

  /** Advances the time of a role by the duration of `compute`. */
  #compute(actor: Actor, node: StepNode): void {
    const start = actor.at;
    this.#roleTimes.compute(actor, node.instruction!.cycles);
    if (this.#watch !== null) this.#watch.computed(actor, node, start, actor.at);
  }
}
