// The predicate that guards an instruction: which lanes execute it, and of which that is unknown.
import { executedPlace } from '../../launch/launch.ts';
import { Question } from '../machine/cuts.ts';
import { breach } from '../machine/practices.ts';
import { lanesText } from '../../text/names.ts';
import { Cause } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import type { Subject } from '../../steps/decision.ts';
import { originOf } from '../origins/expressions.ts';
import { causesOf } from '../origins/causes.ts';
import { isDecidedByDataAlone } from '../origins/free-guard.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { alwaysByRange } from './data-range.ts';
import type { Action } from './program.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/** Whether lanes that may execute an action or not have to be known. */
export function isDecisive(action: Action): boolean {
  return action.kind === 'return' || (action.kind === 'visible' && !action.isAccess);
}

/** Whether lanes may go different ways at a branch on unknown data. */
export function mayPart({ program, registers }: Warp, at: number, mask: number): boolean {
  const guard = program.guards[at]!;
  const isOneLane = (mask & (mask - 1)) === 0;
  return !isOneLane && (guard < 0 || !registers.isUniform(guard, mask));
}

/** What a question is about: the predicate of an instruction, in some lanes. */
function subjectOf(warp: Warp, at: number, lanes: number): Subject {
  const { program, registers } = warp;
  const guard = program.guards[at]!;
  const origin = registers.depends[guard] === 0 ? null : originOf(registers, guard);
  const causes = {
    ...causesOf(origin, lanes),
    isNegated: program.isNegated[at] === 1,
    maySignal: !isDecidedByDataAlone(warp, program.code.instructions[at]!),
  };
  return origin === null ? causes : { ...causes, origin, lane: firstLane(lanes) };
}

/** Lanes take what they read of a clock, or of the machine, by one instruction for one value. */
function noteOneValue(warp: Warp, { bits }: Subject, lanes: number): void {
  const isOneLane = (lanes & (lanes - 1)) === 0;
  if (isOneLane || (bits & (Cause.time | Cause.machine)) === 0) return;
  const { opcode } = warp.instruction;
  const text = `${lanesText(lanes)} may read other values, and ${opcode} takes them for one`;
  breach(warp, 'H25', { rule: 'unjoined-lanes', text });
}

/** The lanes of the guarded instruction in execution. */
export class Guard {
  /** Lanes that are known to execute it. */
  executing = 0;
  /** Lanes in which the predicate is unknown. */
  unknown = 0;

  /** Splits the lanes by the predicate of an instruction. */
  split(warp: Warp, at: number, mask: number): void {
    const register = warp.program.guards[at]!;
    const { low, known, perLane } = warp.registers;
    const isNegated = warp.program.isNegated[at]!;
    const base = register * LANES;
    let truth = 0;
    if (perLane[register] === 0) truth = low[base] === 0 ? 0 : -1;
    else for (let lane = 0; lane < LANES; lane++) truth |= (low[base + lane]! & 1) << lane;
    const isKnown = known[register]!;
    this.unknown = mask & ~isKnown;
    this.executing = mask & isKnown & (isNegated === 0 ? truth : ~truth);
  }

  /**
   * Adds the lanes in which the predicate is unknown to those that execute the instruction, if one
   * question decides all of them and is answered; `mayAsk` says whether it may be a new one.
   */
  isDecided(warp: Warp, at: number, mayAsk: boolean): boolean {
    const { unknown } = this;
    if (!warp.registers.isOneTerm(warp.program.guards[at]!, unknown, out)) return false;
    const { decisions, launch } = warp.machine;
    const { low, high } = out;
    const excluded = launch.decided?.(at);
    if (excluded !== undefined) decisions.answer(low, high, excluded);
    let answer = decisions.known(low, high);
    if (answer === undefined && mayAsk) {
      const subject = subjectOf(warp, at, unknown);
      const implied =
        alwaysByRange(warp, at, firstLane(unknown)) ??
        decisions.implied(subject, executedPlace(launch));
      if (implied !== undefined) decisions.answer(low, high, implied);
      if (implied === undefined && decisions.areCuts) throw new Question(at, subject, low, high);
      if (implied === undefined) noteOneValue(warp, subject, unknown);
      answer = decisions.of(at, subject, low, high);
    }
    if (answer === undefined) return false;
    if (answer !== (warp.program.isNegated[at] === 1)) this.executing |= unknown;
    this.unknown = 0;
    return true;
  }
}
