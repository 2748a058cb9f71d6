// Whether a kernel has a protocol that is worth a check: more than barriers of the whole block.
import type { Instruction, PtxModule } from '@poundlock/ptx/internal/text/module';

/** A barrier of the block with a number of its own or a count of threads. */
function isNamedBarrier({ parts, operands }: Instruction): boolean {
  const [kind, second] = parts;
  if (kind !== 'bar' && kind !== 'barrier') return false;
  if (second === 'cluster') return true;
  // A reduction has its result before the barrier, and its operand behind it.
  const isReduction = parts.includes('red');
  if (!isReduction && !parts.includes('sync') && !parts.includes('arrive')) return false;
  const barrier = operands[isReduction ? 1 : 0];
  const isZero = barrier?.kind === 'immediate' && barrier.value.low === 0;
  return !isZero || operands.length > (isReduction ? 3 : 1);
}

function hasProtocol(instruction: Instruction): boolean {
  const { parts } = instruction;
  if (parts[0] === 'mbarrier') return true;
  if (parts[0] === 'cp' && (parts[1] === 'async' || parts[1] === 'reduce')) return true;
  return isNamedBarrier(instruction);
}

/** Whether a kernel, or a function beside it, has mbarriers, named barriers or copies. */
export function synchronizes(module: PtxModule, kernel: string): boolean {
  return [...module.functions.values()]
    .filter(({ name, isEntry }) => name === kernel || !isEntry)
    .some(({ instructions }) => instructions.some(hasProtocol));
}
