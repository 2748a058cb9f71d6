// Registers whose lanes hold one value after a load have it once.
import { firstLane } from '../../values/lane-mask.ts';
import { LANES } from '../../values/register-file.ts';
import type { Wide } from '../../values/wide.ts';
import type { Warp } from './warp.ts';

const result: Wide = { low: 0, high: 0 };

/** Makes a loaded register uniform again if all its lanes are equal. */
export function compress(warp: Warp, register: number, mask: number): void {
  const { registers } = warp;
  if (mask !== warp.lanes || registers.perLane[register] === 0) return;
  const known = registers.known[register]! & mask;
  if (known !== 0 && known !== mask) return;
  const base = register * LANES;
  const first = firstLane(mask);
  const low = registers.low[base + first]!;
  const high = registers.high[base + first]!;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = firstLane(rest);
    if (registers.low[base + lane] !== low || registers.high[base + lane] !== high) return;
  }
  result.low = low;
  result.high = high;
  registers.setUniform(register, result, known !== 0, mask, warp.lanes);
}
