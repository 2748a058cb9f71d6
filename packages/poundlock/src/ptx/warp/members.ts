// The lanes that an instruction of several lanes names in its member mask: all of them take part.
import { silent } from './builder.ts';
import type { Builder } from './builder.ts';
import type { Wide } from '../values/wide.ts';
import { firstLane } from './lane.ts';
import { OperandError } from './slots.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/** Whether all lanes that the mask names are there; else those that execute it wait for them. */
function haveMembers(warp: Warp, register: number, mask: number): boolean {
  const absent = warp.live & ~mask;
  if (absent === 0) return true;
  let missing = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    if (!warp.registers.read(register, firstLane(rest), out))
      warp.machine.undecided(
        warp.stack.counter,
        'unknown data is its mask, and lanes have parted from those that execute it',
      );
    missing |= out.low & absent;
  }
  if (missing === 0) return true;
  warp.part(mask, missing);
  return false;
}

/** Joins the lanes that name one another; an unknown mask joins none. */
function joinMembers(warp: Warp, register: number, mask: number): void {
  for (let rest = mask; rest !== 0;) {
    const lane = firstLane(rest);
    const isKnown = warp.registers.read(register, lane, out);
    const members = isKnown ? out.low & rest : 0;
    if (members !== 0) warp.join(members);
    rest &= ~(members | (1 << lane));
  }
}

/** An instruction whose operand at `index` is its member mask. */
export function withMembers(index: number, build: Builder): Builder {
  return (instruction, slots) => {
    const action = build(instruction, slots);
    if (action.kind !== 'silent') throw new OperandError('an exchange between lanes is not silent');
    const operand = instruction.operands[index];
    // Forms from before sm_70 have no mask: all lanes are in step.
    if (operand === undefined)
      return silent((warp, mask) => {
        action.run(warp, mask);
        warp.join(mask);
      });
    const register = slots.source(operand);
    return silent((warp, mask) => {
      if (!haveMembers(warp, register, mask)) return;
      joinMembers(warp, register, mask);
      action.run(warp, mask);
    });
  };
}
