// A branch that only the last thread of several takes: the one whose addition to a word of shared
// memory makes it reach a value. What lies on its way may be done by any of them, after all others.
import { readsOf } from '../../flow/liveness.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';
import type { Wide } from '../../values/wide.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/** An addition by one lane whose old value the warp has in a register. */
export interface Addition {
  readonly at: number;
  readonly mask: number;
  /** The count that it adds to. */
  readonly count: number;
  readonly register: number;
  /** Steps of the warp up to the addition: with more of them it is not the last one. */
  readonly steps: number;
}

/** What a branch compares an old value with, and where the lane goes if they are equal. */
export interface LastTest {
  readonly equals: number;
  readonly way: number;
  readonly otherWay: number;
}

/** Whether an instruction that is no access may be done by the last thread. */
export function isForLast({ effect }: Instruction): boolean {
  return effect.kind === 'mbarrier' && effect.op === 'inval';
}

/** The test of an old value that a branch rests on; `null` where it rests on something else. */
export function lastTestOf(
  warp: Warp,
  addition: Addition,
  branch: Instruction,
  mask: number,
): LastTest | null {
  const { program, registers } = warp;
  const { code } = program;
  if (warp.steps.length !== addition.steps || mask !== addition.mask) return null;
  const test = definitionOf(code, addition.at, branch);
  if (test?.effect.kind !== 'compute' || test.effect.operation !== 'setp') return null;
  const { comparison, combination } = test.effect;
  if ((comparison !== 'eq' && comparison !== 'ne') || combination !== null) return null;
  if (test.operands.length !== 3 || !readsOf(test).includes(addition.register)) return null;
  const other = test.operands.slice(1).find((operand) => {
    return operand.kind !== 'register' || operand.register !== addition.register;
  });
  if (other === undefined) return null;
  let equals: number;
  if (other.kind === 'register') {
    if (!registers.read(other.register, firstLane(mask), out)) return null;
    equals = out.low | 0;
  } else if (other.kind === 'immediate') equals = other.value.low | 0;
  else return null;
  const isTaken = (comparison === 'eq') !== (program.isNegated[branch.index] === 1);
  const [target, next] = [branch.targets[0]!, branch.index + 1];
  return isTaken
    ? { equals, way: target, otherWay: next }
    : { equals, way: next, otherWay: target };
}

/** What defines the predicate of a branch, if all between an instruction and it is one line. */
function definitionOf(
  code: PtxFunction,
  from: number,
  branch: Instruction,
): Instruction | undefined {
  const isEntered = code.instructions.some(({ targets }) => {
    return targets.some((target) => target > from && target <= branch.index);
  });
  const line = code.instructions.slice(from + 1, branch.index);
  if (isEntered || line.some(({ targets }) => targets.length > 0)) return undefined;
  const guarded = line.some(({ guard }) => guard !== null);
  if (guarded) return undefined;
  return line.findLast((instruction) => {
    return destinationsOf(instruction).some((one) => one === branch.guard?.register);
  });
}
