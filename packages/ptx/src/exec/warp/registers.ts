// setmaxnreg: a warp gives registers back to its CTA, or takes some.
import type { Registers } from '../../isa/effect.ts';
import type { BuilderOf } from './builder.ts';
import { visible } from './builder.ts';
import { Status } from './program.ts';
import { OperandError } from './slots.ts';

/** `setmaxnreg.inc` and `setmaxnreg.dec`. A run never waits: what it would wait for is proved. */
export const setRegisters: BuilderOf<Registers> = ({ index, operands }, { op }) => {
  const [count] = operands;
  if (count?.kind !== 'immediate') throw new OperandError('expected a number of registers');
  const perThread = count.value.low;
  const isTaking = op === 'inc';
  return visible((warp, mask) => {
    const step = { op: 'registers', at: index, isTaking, perThread } as const;
    const isWhole = (warp.live & ~mask) === 0;
    warp.record(isWhole ? step : { ...step, isPartOfWarp: true }, mask);
    return Status.done;
  });
};
