// Misuse of tensor memory that a run itself met: it is shown with a pool of columns (A01-A03).
import { AUTO } from '@poundlock/core/internal/op';
import type { Action } from './plan.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** The lowerings of steps about the allocation of tensor memory. */
export function tensorLowerings({
  run,
  name,
  warp,
  actions,
}: WarpScope): Lowerings<'allocate' | 'free' | 'relinquish' | 'tensorMisuse'> {
  const push = (...added: readonly Action[]): void => void actions.push(...added);
  return {
    // One that the run got is an access to the word with its address.
    allocate: ({ at, column, columns }) => {
      if (column >= 0) return;
      const what = `${columns} columns of tensor memory`;
      const why = `${name} wants ${what}, and ${run.tensorMemory.heldText(warp.cta)}`;
      const barrier = run.numbers.never(`${name}'s ${what}`, { what, why });
      push({ kind: 'wait', at, barrier, parity: 0, order: AUTO });
    },
    free: () => {},
    relinquish: () => {},
    tensorMisuse: ({ at, misuse, columns }) => {
      if (misuse === 'unallocated') return push({ kind: 'touchPool', at });
      if (misuse === 'relinquished') push({ kind: 'relinquishPool', at });
      push({ kind: 'allocatePool', at, columns });
    },
  };
}
