// The first cluster stands for all blocks only as far as none waits for another.
import { mayRepeat } from '../../flow/cycles.ts';
import { globalAccessOf } from '../../isa/questions.ts';
import type { Machine } from '../machine/machine.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';

/** Whether a warp may wait at an instruction until others write global memory: no draw is. */
function isWait(code: PtxFunction, instruction: Instruction): boolean {
  const access = globalAccessOf(instruction);
  if (access?.isStrong !== true) return false;
  const { op, operation } = access;
  const isReading = op === 'load' || operation === 'cas' || operation === 'exch';
  return isReading && mayRepeat(code, instruction.index);
}

/**
 * Whether some instructions that were reached take part in what blocks wait for. An address that is
 * derived from a shared variable leads to the memory of its cluster.
 */
export function takesPart(
  code: PtxFunction,
  { reached, isShared }: Pick<Machine, 'reached'> & { isShared: (each: Instruction) => boolean },
): boolean {
  const others = code.instructions.filter(
    (each) => globalAccessOf(each)?.isStrong === true && !isShared(each),
  );
  return (
    others.some(({ index }) => reached[index] === 1) && others.some((each) => isWait(code, each))
  );
}
