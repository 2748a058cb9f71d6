// Whether a kernel has a protocol that is worth a check: more than barriers of the whole block.
import type { Barrier } from '@poundlock/ptx/internal/isa/effect';
import type { Instruction, Operand, PtxModule } from '@poundlock/ptx/internal/text/module';

/** A barrier of the block with a number of its own or a count of threads, or of the cluster. */
function isNamedBarrier({ of, op }: Barrier, operands: readonly Operand[]): boolean {
  if (of === 'cluster') return true;
  // A reduction has its result before the barrier, and its operand behind it.
  const isReduction = op === 'reduce';
  const barrier = operands[isReduction ? 1 : 0];
  const isZero = barrier?.kind === 'immediate' && barrier.value.low === 0;
  return !isZero || operands.length > (isReduction ? 3 : 1);
}

function hasProtocol({ effect, operands }: Instruction): boolean {
  if (effect.kind === 'barrier') return isNamedBarrier(effect, operands);
  if (effect.kind === 'group') return effect.unit !== 'wgmma';
  if (effect.kind === 'lanes') return effect.op === 'join';
  if (effect.kind === 'copy') return effect.completion !== 'none';
  return effect.kind === 'mbarrier' || effect.kind === 'prefetch';
}

/** Whether a kernel, or a function beside it, has mbarriers, named barriers or copies. */
export function synchronizes(module: PtxModule, kernel: string): boolean {
  return [...module.functions.values()]
    .filter(({ name, isEntry }) => name === kernel || !isEntry)
    .some(({ instructions }) => instructions.some(hasProtocol));
}
