// Whether a try is repeated: the warp is run on with the answer no, and comes back to it.
import type { LookAhead } from './peek.ts';
import { LOOK_AHEAD } from './program.ts';
import type { Warp } from './warp.ts';

/** Whether the warp comes to the same try with nothing that others can observe in between. */
export function isPolling(
  warp: Warp,
  { barrier, parity }: Pick<LookAhead, 'barrier' | 'parity'>,
  result: number,
  mask: number,
): boolean {
  const { stack, executed, clock, registers, local } = warp;
  const lookAhead: LookAhead = { at: stack.counter, barrier, parity, isFound: false };
  warp.stack = stack.copy();
  warp.local = local.copy();
  warp.lookAhead = lookAhead;
  registers.undo = warp.undo;
  registers.setUniform(result, { low: 0, high: 0 }, true, mask, warp.lanes);
  warp.stack.counter++;
  warp.run(LOOK_AHEAD);
  registers.undo = null;
  warp.undo.restore();
  warp.lookAhead = null;
  warp.local = local;
  warp.stack = stack;
  warp.executed = executed;
  warp.clock = clock;
  return lookAhead.isFound;
}
