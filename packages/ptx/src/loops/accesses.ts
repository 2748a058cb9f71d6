// Loads and stores: parameters that grow, words of shared memory, and memory of a thread.
import { LOCAL_WINDOW, MODULE_WINDOW, PARAMETER_WINDOW, SHARED_WINDOW } from '../launch/windows.ts';
import { accessOf as lanesAccess } from '../isa/questions.ts';
import type { Operand } from '../text/module.ts';
import type { Wide } from '../values/wide.ts';
import { lanesOf } from '../values/lane-mask.ts';
import type { Program } from '../exec/warp/program.ts';
import { NotProved } from './look.ts';
import type { Look } from './look.ts';
import type { Executed } from './executed.ts';
import { ANY, slope } from './reach.ts';
import type { Shade } from './reach.ts';
import type { Input } from './transfers.ts';

const HALF = 2 ** 32;
/** Generic addresses below this are in global memory. */
const WINDOWS_AT = 2 ** 49;
/** Bytes of the number that grows. */
const NUMBER = 4;
const HALF_BYTES = 8;
const SAME_PLACE = 'where it reads or writes may not be the same in all rounds';

const loaded: Wide = { low: 0, high: 0 };

/** The high half of the addresses of a space whose own have none. */
const WINDOWS: Readonly<Record<string, number>> = {
  shared: SHARED_WINDOW,
  local: LOCAL_WINDOW,
  param: PARAMETER_WINDOW,
  const: MODULE_WINDOW,
};

/** Where an access begins in one lane. */
export interface Access {
  readonly low: number;
  readonly high: number;
  readonly isKnown: boolean;
  readonly shade: Shade;
}

/** The register that holds the base of an address. */
function baseOf({ symbols, constants }: Program, base: Operand): number | null {
  if (base.kind === 'register') return base.register;
  if (base.kind === 'symbol')
    return (
      symbols.find(({ name, offset }) => name === base.name && offset === base.offset)?.register ??
      null
    );
  if (base.kind !== 'immediate') return null;
  const { low, high } = base.value;
  return constants.find((slot) => slot.low === low && slot.high === high)?.register ?? null;
}

/** Where an instruction accesses memory in a lane. */
export function accessOf(executed: Executed, operand: Operand | undefined, lane: number): Access {
  const { warp, shades, at, plan } = executed;
  const register = operand?.kind === 'address' ? baseOf(warp.program, operand.base) : null;
  if (register === null || operand?.kind !== 'address') throw new NotProved(at, SAME_PLACE);
  const { low, high, isKnown, shade }: Input = shades.input(warp.registers, register, lane);
  const sum = low + operand.offset;
  const own = { low: sum >>> 0, high: (high + Math.floor(sum / HALF)) >>> 0 };
  const window = WINDOWS[plan.space];
  const isOwn = window !== undefined && (own.high === 0 || plan.space === 'shared');
  return { low: own.low, high: isOwn ? window : own.high, isKnown, shade };
}

/** Fails where an access may be outside of global memory in other rounds. */
function requireGlobal({ look, part, at, plan }: Executed, access: Access): void {
  const { low, high, shade, isKnown } = access;
  if (shade === null || plan.space === 'global') return;
  const value = high * HALF + low;
  const isThere = shade !== ANY && isKnown && look.reach.within(value, shade, 0, WINDOWS_AT, part);
  if (!isThere) throw new NotProved(at, SAME_PLACE);
}

/** What a load brings. */
export function loads(executed: Executed): void {
  const { warp, shades, mask, at } = executed;
  const instruction = warp.program.code.instructions[at]!;
  const { operands } = instruction;
  const { bytes, width } = lanesAccess(instruction)!;
  const [to] = operands;
  const elements = to?.kind === 'vector' ? to.elements : [to];
  const each = elements.map(() => new Map<number, Shade>());
  for (const lane of lanesOf(mask)) {
    const access = accessOf(executed, operands[1], lane);
    for (let element = 0; element < width; element++)
      each[element]?.set(lane, ofElement(executed, access, element * bytes, bytes));
  }
  for (const [index, element] of elements.entries())
    if (element?.kind === 'register')
      for (const [lane, shade] of each[index]!)
        shades.set(element.register, shade, 1 << lane, warp.lanes);
}

function ofElement(executed: Executed, access: Access, offset: number, bytes: number): Shade {
  const { look, follower, at, plan, warp } = executed;
  const { high, isKnown, shade } = access;
  const low = access.low + offset;
  if (!isKnown) {
    if (shade !== null && plan.isVisible) throw new NotProved(at, SAME_PLACE);
    return shade === null ? null : ANY;
  }
  if (high === PARAMETER_WINDOW) return shade === null ? ofParameter(look, low, bytes) : ANY;
  if (high === LOCAL_WINDOW) return shade === null && !follower.hasLocal ? null : ANY;
  if (high === MODULE_WINDOW) return shade;
  if (high === SHARED_WINDOW) {
    if (shade !== null) throw new NotProved(at, SAME_PLACE);
    return ofShared(executed, low, bytes);
  }
  requireGlobal(executed, access);
  if (!warp.machine.global.hasContents) return null;
  if (shade !== null) return ANY;
  look.readsContents = at;
  return null;
}

/** A part of the parameters. */
function ofParameter({ growing }: Look, at: number, bytes: number): Shade {
  const { offset, step } = growing;
  if (at + bytes <= offset || at >= offset + NUMBER) return null;
  // It is never negative, and stays below 2^31: its upper half does not change.
  if (at === offset && bytes >= NUMBER) return slope(0, step, 64);
  return at === offset - NUMBER && bytes === 2 * NUMBER ? slope(0, step * HALF, 64) : ANY;
}

/** A part of shared memory, where each value has to be the same whenever it is read. */
function ofShared({ look, follower, at, warp }: Executed, low: number, bytes: number): Shade {
  const { words, leftAt } = look;
  if (look.loads.has(at)) return ANY;
  // Of 16 bytes the lower half may be known.
  const isKnown = warp.machine.memory.load(low, Math.min(bytes, HALF_BYTES), loaded);
  // Up to here all runs are one, whatever the number of rounds.
  if (!follower.isLate && leftAt === Infinity) return words.isShaded(low, bytes) ? ANY : null;
  words.claim(at, low, bytes, isKnown, Math.min(follower.beganAt, leftAt));
  return null;
}

/** What a store leaves in memory. */
export function stores(executed: Executed): void {
  const { warp, shades, mask, at, look, follower } = executed;
  const { operands } = warp.program.code.instructions[at]!;
  const [, value] = operands;
  const elements = value?.kind === 'vector' ? value.elements : [value];
  for (const lane of lanesOf(mask)) {
    const access = accessOf(executed, operands[0], lane);
    if (access.high === LOCAL_WINDOW || executed.plan.space === 'local') follower.hasLocal = true;
    else if (access.isKnown && access.high === SHARED_WINDOW) {
      if (access.shade !== null) throw new NotProved(at, SAME_PLACE);
      for (const element of elements)
        if (element?.kind === 'register')
          look.isStoreShaded ||=
            shades.input(warp.registers, element.register, lane).shade !== null;
    } else if (access.shade !== null) {
      requireGlobal(executed, access);
      if (warp.machine.tensorMaps.isWatching) throw new NotProved(at, SAME_PLACE);
      look.storesAnywhere ||= warp.machine.global.hasContents;
    }
  }
}
