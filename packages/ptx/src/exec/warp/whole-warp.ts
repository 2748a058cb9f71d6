// Matrix instructions of a whole warp: none of its threads may have ended.
import type { Instruction } from '../../text/module.ts';
import type { Action } from './program.ts';
import type { Warp } from './warp.ts';

const RULE = 'no thread of the warp that executes it has exited';

/** An action that reports threads of the warp that have ended before. */
export function withWholeWarp(instruction: Instruction, action: Action): Action {
  const { effect, joins, opcode, index } = instruction;
  const isOfMatrices = effect.kind === 'matrix' || effect.kind === 'warp matrix';
  if (!isOfMatrices || joins !== 'warp') return action;
  const check = (warp: Warp): void => {
    if ((warp.lanes & ~warp.live) === 0 || warp.lookAhead !== null) return;
    const text = `${opcode} in a warp of which threads have exited`;
    warp.machine.misuse('unjoined-lanes', index, text, RULE, warp);
  };
  if (action.kind === 'silent')
    return {
      ...action,
      run: (warp, mask) => {
        check(warp);
        action.run(warp, mask);
      },
    };
  if (action.kind !== 'visible') return action;
  return {
    ...action,
    run: (warp, mask) => {
      check(warp);
      return action.run(warp, mask);
    },
  };
}
