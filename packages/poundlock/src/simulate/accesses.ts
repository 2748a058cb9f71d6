// Loads and stores of the threads themselves: what they cost depends on the memory they are in.
import type { Instruction } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { Costs } from './model.ts';

/** What an access costs: they have prices of their own, in this order. */
export const ACCESSES = ['store', 'shared', 'remote', 'global'] as const;
export type Access = (typeof ACCESSES)[number];

type Space = Program['declarations']['places'][number]['space'];

/** The memory of the first buffer that an instruction names; `null` if it names none. */
export function spaceOf({ named }: Instruction, { declarations, ctas }: Program): Space | null {
  const [first] = named;
  return first === undefined ? null : declarations.places[Math.floor(first / ctas)]!.space;
}

/** What an operation is as a load or a store; `null` for any other, and for other memories. */
export function accessOf(instruction: Instruction, program: Program): Access | null {
  const { kind, cta, target } = instruction;
  if (kind === OpKind.load || kind === OpKind.fetchAdd) {
    const { isGlobal } = program.declarations.cells[Math.floor(target / program.ctas)]!;
    return isGlobal === true ? 'global' : 'shared';
  }
  if (kind === OpKind.store) return 'store';
  if (kind !== OpKind.read && kind !== OpKind.write) return null;
  const space = spaceOf(instruction, program);
  if (space !== 'shared' && space !== 'global') return null;
  const isOwn = space === 'shared' && target % program.ctas === cta;
  // A program says that a stage is read; how long that takes is in its compute().
  if (isOwn && program.kernel.reference === undefined) return null;
  if (kind === OpKind.write) return 'store';
  if (space === 'global') return 'global';
  return isOwn ? 'shared' : 'remote';
}

/** From issuing a load to its value; stores are over for their role when they are issued. */
export function latencyOf(access: Access, costs: Costs): number {
  switch (access) {
    case 'store':
      return 0;
    case 'shared':
      return costs.sharedLoadCycles;
    case 'remote':
      return costs.remoteLoadCycles;
    case 'global':
      return costs.globalLoadCycles;
  }
}
