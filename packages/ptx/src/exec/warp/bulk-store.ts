// `st.bulk`: a thread stores zeros into a range of shared memory.
import { Unsupported } from '../machine/machine.ts';
import type { Wide } from '../../values/wide.ts';
import { checkShared } from './alignment.ts';
import { writeData } from './barrier-data.ts';
import type { Copy } from '../../isa/effect.ts';
import { addressWith, operandOf, transparent } from './builder.ts';
import type { BuilderOf } from './builder.ts';
import { address, number } from './lane.ts';
import { firstLane } from '../../values/lane-mask.ts';
import { Status } from './program.ts';
import { checkSpace } from './state-space.ts';

const WORD = 4;
/** What the address and the size are multiples of. */
const UNIT = 8;
const RULE = `the address and the size of st.bulk are multiples of ${UNIT}`;
const at: Wide = { low: 0, high: 0 };
const ZERO: Wide = { low: 0, high: 0 };

/** Builds the stores of each thread that executes it. */
export const bulkZeros: BuilderOf<Copy> = (instruction, { isSpaceNamed }, slots) => {
  const { index } = instruction;
  const read = address(addressWith(instruction, 'to'), slots);
  const size = number(operandOf(instruction, 'bytes'), slots, 'the size of a bulk store');
  return transparent((warp, mask) => {
    if (warp.ahead.look !== null) return Status.observed;
    const { machine } = warp;
    const writes: number[] = [];
    const values: number[] = [];
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = firstLane(rest);
      if (!read(warp, lane, at)) throw new Unsupported('a shared address is unknown data', index);
      const from = at.low;
      const bytes = size(warp, lane);
      checkSpace(warp, 'shared', at.low, at.high);
      if (!isSpaceNamed && at.high === 0)
        machine.fault('out-of-bounds', index, 'the address is not in shared memory');
      checkShared(warp, from, UNIT, RULE);
      if (bytes % UNIT !== 0)
        machine.misuse('misaligned', index, `it stores ${bytes} B`, RULE, warp);
      machine.checkBounds(warp, index, from, bytes);
      writeData(warp, from, from + bytes);
      for (let offset = 0; offset < bytes; offset += WORD)
        machine.memory.store(from + offset, WORD, ZERO, !warp.mode.isUncertain, null);
      machine.strongLoads.overwrites({ address: from, bytes });
      writes.push(from, from + bytes);
      values.push(0, 0);
    }
    const step = { op: 'access', at: index, kind: 'plain', reads: [], writes, values } as const;
    warp.record(step, mask);
    return Status.done;
  });
};
