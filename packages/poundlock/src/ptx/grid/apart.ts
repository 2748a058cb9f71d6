// The first cluster stands for all blocks only as far as none waits for another.
import { mayRepeat } from '../flow/cycles.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

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

/** Whether some instructions that were reached take part in what blocks wait for. */
export function takesPart(code: PtxFunction, reached: Uint8Array): boolean {
  const { instructions } = code;
  return (
    instructions.some((each) => reached[each.index] === 1 && isOrdered(each)) &&
    instructions.some((each) => isWait(code, each))
  );
}
