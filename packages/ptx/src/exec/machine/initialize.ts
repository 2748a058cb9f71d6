// What registers of a warp hold before it has executed anything.
import { RANK_SIZE } from '../../steps/step.ts';
import { LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, seedOf, start } from '../../values/terms.ts';
import { placeOfBlock } from '../origins/block-place.ts';
import { leaveUnwritten, readUnsaid } from '../origins/sources.ts';
import type { Warp } from '../warp/warp.ts';
import type { Machine } from './machine.ts';
import { isUnsaid, SPECIAL_REGISTERS } from './special-registers.ts';
import { WINDOWS } from './symbols.ts';

/** Fills the registers of a new warp that hold constants. */
export function initialize(warp: Warp, { program, layout, launch, blocks }: Machine): void {
  leaveUnwritten(warp);
  const { registers, cta, lanes } = warp;
  const write = (register: number, low: number, high: number): void =>
    registers.setUniform(register, { low: low >>> 0, high: high >>> 0 }, true, lanes, lanes);
  for (const { register, low, high } of program.constants) write(register, low, high);
  for (const { register, name, offset } of program.symbols) {
    const symbol = layout.symbols.get(name);
    const rank = symbol?.space === 'shared' ? cta.rank * RANK_SIZE : 0;
    if (symbol === undefined) leaveUnknown(warp, register, name, offset);
    else write(register, symbol.offset + rank + offset, WINDOWS[symbol.space]);
  }
  for (const { register, name } of program.specials) {
    if (isUnsaid(name)) {
      readUnsaid(warp, lanes, register, name);
      continue;
    }
    const special = SPECIAL_REGISTERS[name]!;
    const position = { launch, cta, warp: warp.index };
    const base = registers.openLanes(register, lanes, lanes);
    registers.known[register] = -1;
    registers.high.fill(0, base, base + LANES);
    const last = 31 - Math.clz32(lanes);
    for (let lane = 0; lane < LANES; lane++)
      registers.low[base + lane] = special(position, Math.min(lane, last)) >>> 0;
    if (isUniform(registers, register)) registers.perLane[register] = 0;
    if (blocks !== null) registers.setOrigin(register, placeOfBlock(name, special, position));
  }
}

/** A function, a texture, or a name that is nowhere declared: its address is not known. */
function leaveUnknown(warp: Warp, register: number, name: string, offset: number): void {
  const value = { low: 0, high: 0 };
  start(value, seedOf(`&${name}`));
  mix(value, offset, 0, 1);
  warp.registers.setUniform(register, value, false, warp.lanes, warp.lanes);
}

/** Whether a register that has a slot for each lane is equal in all of them. */
function isUniform({ low }: RegisterFile, register: number): boolean {
  const base = register * LANES;
  return low.subarray(base, base + LANES).every((value) => value === low[base]);
}
