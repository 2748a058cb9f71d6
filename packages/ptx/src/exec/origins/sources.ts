// Values that the launch does not say: each is unknown, and a source of what is computed from it.
import { Cause, unwritten } from '../../values/origin.ts';
import type { ClockRead, Origin, Source } from '../../values/origin.ts';
import { LANES } from '../../values/register-file.ts';
import type { RegisterFile } from '../../values/register-file.ts';
import { mix, seedOf, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { Program } from '../warp/program.ts';
import type { Warp } from '../warp/warp.ts';
import { isClock } from '../machine/special-registers.ts';
import { heldBefore, merge, originOf, settle } from './expressions.ts';
import { fixed, snapshotOf } from './fixed.ts';

const term: Wide = { low: 0, high: 0 };

/** What a register holds, as a source of what is computed from it. */
export function sourceIn(registers: RegisterFile, register: number, source: Source): Origin {
  return { ...snapshotOf(registers, register), from: source.cause, source };
}

const unwrittenBy = new WeakMap<Program, readonly Origin[]>();
const UNWRITTEN = seedOf('nothing has written');

/** What the registers of a warp hold before it writes them: another value in each lane. */
export function leaveUnwritten({ registers, program, number }: Warp): void {
  let origins = unwrittenBy.get(program);
  if (origins === undefined) {
    const { registers: declared } = program.code;
    origins = Array.from({ length: program.registers }, (_, register) =>
      unwritten(declared[register]?.name ?? 'a register'),
    );
    unwrittenBy.set(program, origins);
  }
  for (const [register, origin] of origins.entries()) {
    start(term, UNWRITTEN);
    mix(term, register, number, 0);
    vary(term);
    registers.low[register * LANES] = term.low;
    registers.high[register * LANES] = term.high;
    registers.setOrigin(register, origin);
  }
}

/** Says where what some lanes of a register hold comes from, of which nothing is said. */
export function nameSource(
  registers: RegisterFile,
  register: number,
  lanes: number,
  source: Source,
): void {
  const values = snapshotOf(registers, register);
  const own = { ...values, from: source.cause, source };
  registers.setOrigin(register, merge(lanes, own, values));
}

/** How often tries have failed, and what follows from that. */
const TRIES: Source = { cause: Cause.time, text: 'the number of tries' };

/** An unknown value that depends on how often tries have failed. */
export function ofTries({ low, high }: Wide): Origin {
  const values = fixed(Uint32Array.of(low), Uint32Array.of(high), 0, true);
  return { ...values, from: TRIES.cause, source: TRIES };
}

/** Makes lanes of a register unknown: they depend on how often tries have failed. */
export function writeTries(
  registers: RegisterFile,
  register: number,
  value: Wide,
  mask: number,
  lanes: number,
): void {
  const before = mask === lanes ? null : originOf(registers, register);
  registers.setUniform(register, value, false, mask, lanes);
  const own = sourceIn(registers, register, TRIES);
  registers.setOrigin(register, before === null ? own : merge(mask, own, before));
}

/** Writes a value into a register that the launch does not say. */
export function writeSource(
  warp: Warp,
  mask: number,
  register: number,
  value: Wide,
  source: Source,
): void {
  const { registers, lanes } = warp;
  const before = heldBefore(warp, mask, register);
  registers.setUniform(register, value, false, mask, lanes);
  settle(warp, mask, register, sourceIn(registers, register, source), before);
}

/** Which clock a special register reads, and which part of it; `null` where it is none. */
function clockNamed(name: string): Pick<ClockRead, 'kind' | 'isGlobal' | 'part'> | null {
  const [, what, part] = /^%(clock|globaltimer)(64|_lo|_hi)?$/.exec(name) ?? [];
  if (what === undefined) return null;
  const isGlobal = what === 'globaltimer';
  if (part === '_hi') return { kind: 'clock', isGlobal, part: 'high' };
  const isAll = part === '64' || (isGlobal && part === undefined);
  return { kind: 'clock', isGlobal, part: isAll ? 'all' : 'low' };
}

const CLOCK = seedOf('a clock');
const MACHINE = seedOf('the machine');

/** Reads a special register of which the launch says nothing. */
export function readUnsaid(warp: Warp, mask: number, register: number, name: string): void {
  if (isClock(name)) readClock(warp, mask, register, name);
  else readMachine(warp, mask, register, name);
}

/** Reads a clock into a register: lanes that read it together read one value. */
function readClock(warp: Warp, mask: number, register: number, name: string): void {
  const time = warp.simulatedTime;
  if (time !== undefined) {
    term.low = time >>> 0;
    term.high = 0;
    return warp.registers.setUniform(register, term, true, mask, warp.lanes);
  }
  const index = warp.progress.clock++;
  start(term, CLOCK);
  mix(term, warp.number, index, 0);
  const order = warp.machine.fresh();
  const variable = { ...clockNamed(name)!, warp: warp.number, index, order } as const;
  writeSource(warp, mask, register, term, { cause: Cause.time, text: name, variable });
}

/** Special registers that the machine decides anew whenever they are read. */
const CHANGING: ReadonlySet<string> = new Set(['%warpid', '%smid']);

/** Reads what the machine decides into a register. */
function readMachine(warp: Warp, mask: number, register: number, name: string): void {
  start(term, MACHINE);
  // The grid is one for all warps; where a warp runs is not, and may change.
  const isChanging = CHANGING.has(name);
  const index = isChanging ? warp.progress.clock++ : 0;
  mix(term, seedOf(name), isChanging ? warp.number : 0, 0);
  mix(term, index, 0, 0);
  const variable = { kind: 'register', name: `${name} ${warp.number}:${index}` } as const;
  const source = { cause: Cause.machine, text: name };
  writeSource(warp, mask, register, term, isChanging ? { ...source, variable } : source);
}
