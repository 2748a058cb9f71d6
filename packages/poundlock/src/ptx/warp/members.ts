// The lanes that an instruction of several lanes names in its member mask: all of them take part.
import { silent } from './builder.ts';
import type { Builder } from './builder.ts';
import type { Wide } from '../values/wide.ts';
import { firstLane } from './lane.ts';
import { OperandError } from './slots.ts';
import type { Warp } from './warp.ts';

const out: Wide = { low: 0, high: 0 };

/** Stops the run where lanes in the mask have parted from those that execute the instruction. */
function requireMembers(warp: Warp, register: number, mask: number): void {
  const missing = warp.stack.live & ~mask;
  if (missing === 0) return;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const isKnown = warp.registers.read(register, firstLane(rest), out);
    if (isKnown && (out.low & missing) === 0) continue;
    const what = isKnown ? 'its mask names lanes' : 'unknown data is its mask, and lanes';
    const text = `${what} that have parted from the lanes that execute it`;
    warp.machine.undecided(warp.stack.counter, text);
  }
}

/** An instruction whose operand at `index` is its member mask. */
export function withMembers(index: number, build: Builder): Builder {
  return (instruction, slots) => {
    const action = build(instruction, slots);
    if (action.kind !== 'silent') throw new OperandError('an exchange between lanes is not silent');
    const operand = instruction.operands[index];
    // Forms from before sm_70 have no mask: all lanes are in step.
    if (operand === undefined) return action;
    const register = slots.source(operand);
    return silent((warp, mask) => {
      requireMembers(warp, register, mask);
      action.run(warp, mask);
    });
  };
}
