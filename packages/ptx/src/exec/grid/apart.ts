// The first cluster stands for all blocks only as far as none waits for another.
import { mayRepeat } from '../../flow/cycles.ts';
import type { Machine } from '../machine/machine.ts';
import type { Instruction, PtxFunction } from '../../text/module.ts';

const ORDERED = new Set(['volatile', 'relaxed', 'acquire', 'release', 'mmio']);
const ATOMIC = new Set(['atom', 'red']);
const OTHER_SPACES = /^(shared|local|param|const)/;

/** Whether an instruction accesses global memory as others see it. */
function isOrdered({ parts }: Instruction): boolean {
  if (parts.some((part) => OTHER_SPACES.test(part))) return false;
  if (ATOMIC.has(parts[0]!)) return true;
  return (parts[0] === 'ld' || parts[0] === 'st') && parts.some((part) => ORDERED.has(part));
}

/** Whether a warp may wait at an instruction until others write global memory: no draw is. */
function isWait(code: PtxFunction, instruction: Instruction): boolean {
  const { parts, index } = instruction;
  const isReading = parts[0] === 'ld' || parts.some((part) => part === 'cas' || part === 'exch');
  return isReading && isOrdered(instruction) && mayRepeat(code, index);
}

/**
 * Whether some instructions that were reached take part in what blocks wait for. An address that is
 * derived from a shared variable leads to the memory of its cluster.
 */
export function takesPart(
  code: PtxFunction,
  { reached, isShared }: Pick<Machine, 'reached'> & { isShared: (each: Instruction) => boolean },
): boolean {
  const others = code.instructions.filter((each) => isOrdered(each) && !isShared(each));
  return (
    others.some(({ index }) => reached[index] === 1) && others.some((each) => isWait(code, each))
  );
}
