// Operations with more than one way to go on: what their ways are, and what each of them does.
import { invariant, unreachable } from '@poundlock/core/internal/base';
import type { Instruction } from '@poundlock/core/internal/machine';
import { isOnPool, isTry, OpKind } from '@poundlock/core/internal/op';
import type { InstructionKind, PoolKind, TryKind } from '@poundlock/core/internal/op';
import { WaitConditions } from '@poundlock/core/internal/system';
import type { Effects } from './effects.ts';
import type { SetId } from './knowledge.ts';

/** Operations with several answers, or whose place among those of others matters. */
export type ChoiceKind =
  | TryKind
  | PoolKind
  | typeof OpKind.choose
  | typeof OpKind.fetchAdd
  | typeof OpKind.takeRegisters;

/**
 * Whether an operation is a {@link ChoiceKind}; {@link Effects.perform} makes all others.
 * `doTakingsTakeTurns`: the order in which registers are taken matters (Q04).
 */
export function isChoice(kind: InstructionKind, doTakingsTakeTurns: boolean): kind is ChoiceKind {
  if (kind === OpKind.takeRegisters) return doTakingsTakeTurns;
  return isTry(kind) || isOnPool(kind) || kind === OpKind.choose || kind === OpKind.fetchAdd;
}

/** Whether the choice is the role's alone: no other role depends on when it is made. */
export function isOwnChoice(kind: OpKind): boolean {
  return kind === OpKind.choose;
}

/** Makes the choices of a run. Tries and claims are made as one step with their answer. */
export class Choices {
  readonly #effects: Effects;
  readonly #waits: WaitConditions;
  /** By ring and CTA: what roles that claimed stages know; unset before the first claim. */
  readonly #turnsOfClaims: (SetId | undefined)[] = [];

  constructor(effects: Effects) {
    this.#effects = effects;
    const { machine, registers } = effects.run;
    this.#waits = new WaitConditions(machine, registers);
  }

  /** In how many ways a role that stands at a choice can go on now. */
  options(instruction: Instruction, isRetry: boolean): number {
    const { machine, words } = this.#effects.run;
    const { kind } = instruction;
    invariant(isChoice(kind, true), 'the next operation of the role is a choice');
    switch (kind) {
      case OpKind.choose:
        return instruction.choices;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
      case OpKind.tryClaim:
        // M08, P07: it may say no at any time, but not twice in a row.
        return (isRetry ? 0 : 1) + (this.#isReady(instruction) ? 1 : 0);
      case OpKind.alloc:
      case OpKind.takeRegisters:
        return machine.enabled(words, instruction) ? 1 : 0;
      case OpKind.fetchAdd:
      case OpKind.free:
      case OpKind.relinquish:
        return 1;
      default:
        return unreachable(kind);
    }
  }

  /**
   * What must hold wherever a role is at a try (M02, M10, L): when everything else that can happen
   * has happened, every try observes the phase that it wants.
   */
  requireStanding(role: number, instruction: Instruction): void {
    const { kind, cta } = instruction;
    if (!isTry(kind)) return;
    const { run, barriers } = this.#effects;
    if (kind === OpKind.tryWaitStage) this.#effects.requireNoFork(instruction);
    const barrier = this.#barrier(instruction);
    const phase = this.#waits.wantedPhase(run.words, instruction);
    if (kind !== OpKind.tryClaim) {
      return barriers.requireStanding(role, cta, barrier, phase, false);
    }
    // The stage that is claimed next is known to all roles that have claimed.
    run.know.copy(run.spare, role);
    run.know.join(run.spare, this.#turns(instruction));
    barriers.requireStanding(run.spare, cta, barrier, phase, false);
  }

  /** A role goes on in the way with number `option`; the answer is in the effects. */
  make(role: number, instruction: Instruction, option: number): void {
    const effects = this.#effects;
    const { run, accesses } = effects;
    const { kind } = instruction;
    invariant(isChoice(kind, true), 'the next operation of the role is a choice');
    effects.events++;
    effects.answer = 0;
    switch (kind) {
      case OpKind.choose:
        effects.answer = option;
        return;
      case OpKind.tryWait:
      case OpKind.tryWaitStage:
        effects.answer = this.#see(role, instruction, option) ? 1 : 0;
        return;
      case OpKind.tryClaim:
        return this.#claim(role, instruction, option);
      case OpKind.fetchAdd:
        accesses.addToCell(role, instruction.target);
        effects.answer = run.machine.issue(run.words, instruction);
        return;
      case OpKind.alloc:
      case OpKind.free:
      case OpKind.relinquish:
        effects.answer = accesses.usePool(role, kind, instruction, true);
        return;
      case OpKind.takeRegisters:
        return effects.takeRegisters(instruction);
      default:
        return unreachable(kind);
    }
  }

  /** A try is answered with no, where that is no choice (T7). */
  fail(role: number, instruction: Instruction): void {
    const effects = this.#effects;
    this.requireStanding(role, instruction);
    effects.barriers.reach(role, instruction.cta, this.#barrier(instruction));
    effects.events++;
    effects.progress = true;
    effects.answer = 0;
  }

  /** A try that follows the same one, which failed, is a wait (P07); `false` while it waits. */
  retry(role: number, instruction: Instruction): boolean {
    if (!this.#isReady(instruction)) return false;
    const effects = this.#effects;
    this.requireStanding(role, instruction);
    effects.barriers.observe(role, instruction.cta, this.#barrier(instruction));
    effects.events++;
    effects.progress = true;
    effects.answer = 1;
    return true;
  }

  /** A try's answer: its first option is yes, where that is possible. */
  #see(role: number, instruction: Instruction, option: number): boolean {
    const { barriers } = this.#effects;
    const barrier = this.#barrier(instruction);
    const isSeen = option === 0 && this.#isReady(instruction);
    if (isSeen) barriers.observe(role, instruction.cta, barrier);
    else barriers.reach(role, instruction.cta, barrier);
    return isSeen;
  }

  /** R05: a claim comes after all claims before it. */
  #claim(role: number, instruction: Instruction, option: number): void {
    const effects = this.#effects;
    const { know, registers, words } = effects.run;
    if (option !== 0 || !this.#isReady(instruction)) {
      effects.barriers.reach(role, instruction.cta, this.#barrier(instruction));
      effects.answer = -1;
      return;
    }
    const turns = this.#turns(instruction);
    know.join(role, turns);
    this.#see(role, instruction, option);
    know.join(turns, role);
    effects.answer = registers.claim(words, instruction);
  }

  #turns({ target, cta }: Instruction): SetId {
    const { know, program } = this.#effects.run;
    return (this.#turnsOfClaims[target * program.ctas + cta] ??= know.addRow());
  }

  #isReady(instruction: Instruction): boolean {
    return this.#waits.passes(this.#effects.run.words, instruction);
  }

  #barrier(instruction: Instruction): number {
    return this.#waits.testedBarrier(this.#effects.run.words, instruction);
  }
}
