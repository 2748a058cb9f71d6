// What is not the same from try to try of a wait: lanes of registers, which are unknown behind it.
import { registersIn } from '../../flow/liveness.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import { writeTries } from '../origins/sources.ts';
import { lanesOf } from '../../values/lane-mask.ts';
import type { SimtStack } from './stack.ts';
import type { Warp } from './warp.ts';

/** Lanes of registers that are not the same from try to try. */
export type Changed = Map<number, number>;

const unknown: Wide = { low: 0, high: 0 };

/**
 * Adds the live registers that differ in two states at one place, in some lanes; whether there are
 * more.
 */
export function addChanges(
  changed: Changed,
  { program }: Warp,
  stack: SimtStack,
  one: RegisterFile,
  other: RegisterFile,
  mask = -1,
): boolean {
  let isMore = false;
  for (const [counter, all] of stack.groups()) {
    const lanes = all & mask;
    for (const register of registersIn(program.liveBefore(counter))) {
      if (one.isEqualIn(register, other, lanes)) continue;
      for (const lane of lanesOf(lanes)) {
        const has = ((changed.get(register) ?? 0) >>> lane) & 1;
        if (has === 1 || one.isEqualIn(register, other, 1 << lane)) continue;
        changed.set(register, (changed.get(register) ?? 0) | (1 << lane));
        isMore = true;
      }
    }
  }
  return isMore;
}

/** Makes lanes of registers unknown. */
export function forgetChanges(
  { machine, lanes: all }: Warp,
  registers: RegisterFile,
  changed: Changed,
): void {
  for (const [register, lanes] of changed) {
    start(unknown, register);
    mix(unknown, register, machine.fresh(), 1);
    vary(unknown);
    writeTries(registers, register, unknown, lanes, all);
  }
}
