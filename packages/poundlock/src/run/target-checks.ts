// Checks that the target of an operation is alive and valid, and which rule is broken otherwise.
import type { RuleId } from '@poundlock/core/internal/finding';
import { isGlobalBarrier, type Instruction } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
import { barriers, BarrierResult } from '@poundlock/ring/internal';
import { Global } from './plan.ts';
import { RuleBroken, RunOver } from './stop.ts';
import type { RoleEnvironment } from './role-environment.ts';

const OUTCOME_RULES: Readonly<Record<Exclude<BarrierResult, 0 | 1>, RuleId>> = {
  [BarrierResult.overArrival]: 'over-arrival',
  [BarrierResult.uninitialized]: 'uninitialised-barrier',
  [BarrierResult.invalid]: 'missing-drain',
  [BarrierResult.alreadyLive]: 'uninitialised-barrier',
};

/** The checks of one role's targets. */
export class TargetChecks {
  readonly #environment: RoleEnvironment;

  constructor(environment: RoleEnvironment) {
    this.#environment = environment;
  }

  /**
   * L02, M02: throws if a barrier is not alive. An operation other than a wait is recorded first:
   * `begin` is when it began.
   */
  require(barrier: number, instruction: Instruction, begin = -1): void {
    const { words, plan, locked, ctas, recorder } = this.#environment;
    const life = barriers.livenessOf(words, plan.barrier(barrier));
    const isEverywhere = isGlobalBarrier(plan.machine.shape, barrier);
    const isAlive = isEverywhere || locked.isAlive(barrier % ctas, instruction.cta);
    const mayBeDead = instruction.kind === OpKind.init;
    if (isAlive && (mayBeDead || life === BarrierResult.done)) return;
    if (begin >= 0) recorder.record(instruction, 0, begin);
    throw new RuleBroken(isAlive ? OUTCOME_RULES[life as 3 | 4] : 'missing-drain');
  }

  /** As {@link require}, if lifetimes matter or a barrier or CTA has ended. */
  requireIfEnding(barrier: number, instruction: Instruction, begin = -1): void {
    const { mayEnd, words } = this.#environment;
    if (mayEnd || words[Global.endings] !== 0) this.require(barrier, instruction, begin);
  }

  /**
   * Throws unless the operation on a barrier succeeded. The run may be over before all parts of an
   * operation are performed: it is recorded if other roles may have seen the first, see `isSeen`.
   */
  requireDone(
    instruction: Instruction,
    outcome: BarrierResult,
    begin: number,
    isSeen: boolean,
  ): void {
    if (outcome === BarrierResult.done) return;
    const isOver = outcome === BarrierResult.poisoned;
    if (!isOver || isSeen) this.#environment.recorder.record(instruction, 0, begin);
    if (isOver) throw new RunOver();
    throw new RuleBroken(OUTCOME_RULES[outcome]);
  }
}
