// What a run does not have, and instructions may order all the same: other blocks, copies of global
// memory, and instructions whose accesses are not followed.
import type { Instruction, PtxFunction } from '../text/module.ts';
import type { ReferenceRun } from '../steps/run.ts';
import { isGlobal } from '../steps/step.ts';
import type { Step } from '../steps/step.ts';
import { isMultimem } from '../isa/questions.ts';
import type { WarpLedger } from './run-ledger.ts';

/** What a cluster does to memory that fences may order beyond the certificate. */
export interface MemoryUse {
  /** Whether it has volatile, relaxed or atomic accesses: fences make signals of them. */
  readonly isStrong: boolean;
  /** Whether other blocks may see it, or it sees what they do. */
  readonly isSeen: boolean;
  /** Whether threads access what copies may write, or write what copies may access. */
  readonly areMixed: boolean;
}

/** What all warps do to memory. */
export function memoryUse({ warps }: ReferenceRun, ledgers: readonly WarpLedger[]): MemoryUse {
  const all = ledgers.flatMap(({ accesses }) => accesses);
  const copies = all.filter(({ isCopy }) => isCopy);
  const own = all.filter(({ isCopy }) => !isCopy);
  const doesWrite = ({ isWrite }: { readonly isWrite: boolean }): boolean => isWrite;
  const isStrong = (step: Step): boolean =>
    step.op === 'last' || (step.op === 'access' && step.kind !== 'plain');
  return {
    isStrong:
      all.some(({ isOrdered }) => isOrdered) || warps.some(({ steps }) => steps.some(isStrong)),
    isSeen: all.some(({ isWrite, isOrdered }) => isWrite || isOrdered),
    areMixed:
      copies.length > 0 && own.length > 0 && (copies.some(doesWrite) || own.some(doesWrite)),
  };
}

/** Why an instruction orders what a run does not have; `null` if it does not. */
export function orderedElsewhere(
  { effect }: Instruction,
  { isStrong, isSeen, areMixed }: MemoryUse,
): string | null {
  if (effect.kind !== 'fence' || effect.restriction === 'mbarrier init') return null;
  const { proxy, space, order, scope } = effect;
  if (proxy === 'alias' || proxy === 'tensormap::generic')
    return 'it orders accesses to tensor maps, or through other addresses';
  if (proxy === 'async' && areMixed && space !== 'shared')
    return 'it orders copies and threads in global memory, which are not compared';
  if (order === null) return null;
  if (isStrong) return 'it may order volatile or atomic accesses, which are not compared';
  if (isSeen && scope !== 'cta' && scope !== 'cluster')
    return 'it orders global memory for other blocks, which the run does not have';
  return null;
}

function isFollowed(instruction: Instruction): boolean {
  const { effect } = instruction;
  if (isMultimem(instruction)) return false;
  if (effect.kind === 'copy') return effect.op !== 'zeros';
  if (effect.kind === 'warp matrix') return effect.op === 'multiply';
  return effect.kind !== 'tensor map' && effect.kind !== 'opaque';
}

/** The first instruction that was executed and whose accesses are not followed. */
export function unfollowedIn(
  { instructions }: PtxFunction,
  reached: Uint8Array,
): { readonly text: string; readonly at: number } | null {
  const found = instructions.find((each) => reached[each.index] === 1 && !isFollowed(each));
  if (found === undefined) return null;
  return { text: `what ${found.opcode} accesses is not followed`, at: found.index };
}

/** Whether a step is about global memory, which is followed where all blocks are executed. */
function isOfBlocks(step: Step): boolean {
  if (step.op === 'last') return step.steps.some(isOfBlocks);
  if (step.op === 'signal' || step.op === 'poll') return true;
  return step.op === 'access' && (step.reads.some(isGlobal) || step.writes.some(isGlobal));
}

/** Where blocks of a grid were executed together: what they exchange is not compared. */
export function sharedByBlocks({
  warps,
  ctas,
  clusterSize,
}: ReferenceRun): { readonly text: string; readonly at: number } | null {
  const step = warps.flatMap(({ steps }) => steps).find(isOfBlocks);
  if (step === undefined && ctas === clusterSize) return null;
  const text = 'what blocks of the grid exchange in global memory is not compared';
  return { text, at: step?.at ?? -1 };
}
