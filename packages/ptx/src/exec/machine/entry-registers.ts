// How many registers a thread has as a kernel with setmaxnreg begins: ptxas gives each thread all
// that the directives of the kernel leave it, as its reports show (`ptxas -v`).
import type { Registers } from '../../isa/effect.ts';
import type { Launch } from '../../launch/launch.ts';
import type { PtxFunction } from '../../text/module.ts';
import { LANES } from '../../values/register-file.ts';

/** Registers of a multiprocessor, and of a thread. */
const ALL = 65_536;
const MOST = 255;
/** Registers are given to warps in multiples of this for each thread. */
const UNIT = 8;
/** Parts of a multiprocessor, each with the registers of its warps. */
const PARTS = 4;

const up = (value: number, unit: number): number => Math.ceil(value / unit) * unit;

/** Instructions that change registers, with the count that each names. */
function countsIn({ instructions }: PtxFunction, action: Registers['op']): number[] {
  return instructions.flatMap(({ effect, operands }) => {
    const [count] = operands;
    const isIt = effect.kind === 'registers' && effect.op === action;
    return isIt && count?.kind === 'immediate' ? [count.value.low] : [];
  });
}

/** What the directives leave; `null` where they say nothing, so that setmaxnreg is ignored. */
export function registerLimit({ directives }: PtxFunction): number | null {
  const limits: number[] = [];
  const [most] = directives.get('maxnreg') ?? [];
  if (most !== undefined) limits.push(most);
  const [x, y = 1, z = 1] = directives.get('maxntid') ?? directives.get('reqntid') ?? [];
  const [blocks] = directives.get('minnctapersm') ?? [];
  if (x !== undefined && blocks !== undefined && blocks > 0) {
    const warps = up(blocks * Math.ceil((x * y * z) / LANES), PARTS);
    const each = ALL / (warps * LANES);
    limits.push(each - (each % UNIT));
  }
  return limits.length === 0 ? null : Math.min(...limits);
}

/** The most registers of a thread: what the launch recorded, else what the directives leave. */
export function mostRegisters(code: PtxFunction, { registers }: Launch): number | null {
  const limit = registers ?? registerLimit(code);
  return limit === null ? null : Math.min(limit, MOST);
}

/** Registers of each thread at the launch; `null` where the kernel changes none. */
export function entryRegisters(code: PtxFunction, launch: Launch): number | null {
  const taken = countsIn(code, 'inc');
  if (taken.length === 0 && countsIn(code, 'dec').length === 0) return null;
  if (launch.registers !== null) return up(launch.registers, UNIT);
  const limit = registerLimit(code);
  if (limit === null) return null;
  return up(Math.min(limit, MOST, ...(taken.length > 0 ? [Math.max(...taken)] : [])), UNIT);
}
