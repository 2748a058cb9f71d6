// Where execution goes after an instruction.
import type { Control } from '../isa/effect.ts';
import type { Instruction, PtxFunction } from '../text/module.ts';

/** What an instruction does to the flow of control. */
export type Transfer = 'next' | 'branch' | 'table' | 'end' | 'trap';

const TRANSFERS: Readonly<Record<Control['op'], Transfer>> = {
  branch: 'branch',
  table: 'table',
  call: 'next',
  return: 'end',
  exit: 'end',
  trap: 'trap',
  breakpoint: 'trap',
  sleep: 'next',
};

/** How an instruction passes control on. */
export function transfer({ effect }: Instruction): Transfer {
  return effect.kind === 'control' ? TRANSFERS[effect.op] : 'next';
}

/**
 * Indices of the instructions that may follow `instruction`; the number of instructions stands for
 * the end of the function.
 */
export function successors(code: PtxFunction, instruction: Instruction): readonly number[] {
  const end = code.instructions.length;
  const next = instruction.index + 1;
  const isGuarded = instruction.guard !== null;
  const ways: Readonly<Record<Transfer, () => readonly number[]>> = {
    next: () => [next],
    branch: () => (isGuarded ? [next, ...instruction.targets] : instruction.targets),
    table: () =>
      isGuarded ? [next, ...new Set(instruction.targets)] : [...new Set(instruction.targets)],
    end: () => (isGuarded ? [next, end] : [end]),
    // Ways that trap end the launch: they meet no other way.
    trap: () => (isGuarded ? [next] : []),
  };
  return ways[transfer(instruction)]();
}
