// Whether a guard may have either value, whatever other threads do: then an access that it guards
// may happen, and what goes wrong then does.
import { executedPlace } from '../../launch/launch.ts';
import type { Instruction } from '../../text/module.ts';
import type { Warp } from '../warp/warp.ts';
import { bothOf, causesOf } from './causes.ts';
import type { Causes } from './causes.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { originOf } from './expressions.ts';
import { isFree, mayBeEither } from './free-values.ts';
import type { Origin } from '../../values/origin.ts';

const known = new WeakMap<Origin, boolean>();

/** What is known of predicates on which it depends whether something happens. */
export interface Doubtful {
  /** Whether they may have either value, whatever other threads do. */
  readonly isFree: boolean;
  readonly causes: Causes;
}

/** What is known of the guard of an instruction, beside those that the warp depends on already. */
export function doubtOf(warp: Warp, instruction: Instruction, lanes: number): Doubtful {
  const { doubt } = warp.mode;
  const own = ownDoubt(warp, instruction, lanes);
  if (doubt === null) return own;
  return { isFree: doubt.isFree && own.isFree, causes: bothOf(doubt.causes, own.causes) };
}

/** Whether no thread may have signaled what guards an instruction: the text says so. */
export function isDecidedByDataAlone({ program }: Warp, instruction: Instruction): boolean {
  const isBranch = instruction.targets.length > 0;
  const guarded = isBranch ? program.regionOf(instruction).instructions : [instruction.index];
  return program.provenance.guards.isFree(instruction, guarded);
}

function ownDoubt(warp: Warp, instruction: Instruction, lanes: number): Doubtful {
  const { program, registers, machine } = warp;
  const isStatic = isDecidedByDataAlone(warp, instruction);
  const guard = program.guards[instruction.index] ?? -1;
  if (guard < 0 || registers.depends[guard] === 0)
    return { isFree: isStatic, causes: causesOf(null, lanes) };
  const origin = originOf(registers, guard);
  const causes = causesOf(origin, lanes);
  if (origin.from === 0) return { isFree: isStatic, causes };
  let isOne = known.get(origin);
  if (isOne === undefined) {
    const subject = { ...causes, origin, lane: firstLane(lanes) };
    isOne = isFree(subject) && mayBeEither(subject, executedPlace(machine.launch));
    known.set(origin, isOne);
  }
  return { isFree: isStatic && isOne, causes };
}
