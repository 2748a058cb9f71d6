// `.aligned` instructions: all threads of a warp execute them together, and none has ended.
import type { Instruction } from '../../text/module.ts';
import { lanesText } from '../../text/names.ts';
import { isCollective } from './joins.ts';
import type { Action } from './program.ts';
import type { Warp } from './warp.ts';

const RULE = 'all threads of a warp execute the same .aligned instruction, and none has exited';

/** Reports the lanes that execute an `.aligned` instruction without the others of their warp. */
export function reportPart(warp: Warp, { opcode, index }: Instruction, lanes: number): void {
  const absent = warp.lanes & ~lanes;
  const exited = absent & ~warp.live;
  const why = exited === absent ? ', which have exited' : '';
  const verb = (lanes & (lanes - 1)) === 0 ? 'executes' : 'execute';
  const who = `${lanesText(lanes)} ${verb} it without ${lanesText(absent)}${why}`;
  const text = `${opcode} is .aligned, and ${who}`;
  warp.machine.misuse('unjoined-lanes', index, text, RULE, warp);
}

/** An action that reports the threads of the warp that do not take part. */
export function withWholeWarp(instruction: Instruction, action: Action): Action {
  if (!isCollective(instruction)) return action;
  const check = (warp: Warp, mask: number): void => {
    if ((warp.lanes & ~mask) === 0 || warp.ahead.look !== null || warp.shadow.isRunning) return;
    reportPart(warp, instruction, mask);
  };
  if (action.kind === 'silent')
    return {
      ...action,
      run: (warp, mask) => {
        check(warp, mask);
        action.run(warp, mask);
      },
    };
  if (action.kind !== 'visible') return action;
  return {
    ...action,
    run: (warp, mask) => {
      check(warp, mask);
      return action.run(warp, mask);
    },
  };
}
