// Accesses to buffers of which the launch gives the size: within them, from their begin on.
import type { BoundedBuffer, Launch } from '../../launch/launch.ts';
import { BUFFER_WINDOW, LOCAL_WINDOW, MODULE_WINDOW } from '../../launch/windows.ts';
import type { Access } from '../../isa/effect.ts';
import type { Warp } from './warp.ts';

/** What an access does to memory. */
export const VERBS: Readonly<Record<Access['op'], string>> = {
  load: 'reads',
  store: 'writes',
  atomic: 'changes',
  reduction: 'changes',
  discard: 'discards',
};
const RULE = 'an access to memory lies in one allocation, of which the launch gives the bytes';
const VARIABLE_RULE = 'an access to a variable lies in it';
const NULL_RULE = 'a null pointer is the address of no memory';
/** Bytes from address 0 on that are no memory: a page. */
const NULL_BYTES = 4096;
/** An offset above half of a window is one before the begin of the next buffer. */
const HALF_WINDOW = 2 ** 31;
const WINDOW = 2 ** 32;

/**
 * Reports an access beyond a buffer, or behind a null pointer.
 *
 * @param bytes What is accessed from the address on.
 * @param verb `reads`, `writes` or `changes`.
 */
export function checkBuffer(
  warp: Warp,
  low: number,
  high: number,
  bytes: number,
  verb: string,
): void {
  const { bounds } = warp.machine.launch;
  if (high === MODULE_WINDOW || high === LOCAL_WINDOW)
    return checkVariable(warp, low, high, bytes, verb);
  if (high === 0 && low >= 0 && low < NULL_BYTES) return reportNull(warp, low, bytes, verb);
  if (bounds.size === 0 || high < BUFFER_WINDOW || warp.ahead.look !== null) return;
  const buffer = bufferBeside(bounds, low, high, bytes);
  const { index } = warp.instruction;
  const { beyondBuffers } = warp.machine.global;
  if (buffer === undefined || beyondBuffers.has(index)) return;
  beyondBuffers.add(index);
  const offset = buffer === bounds.get(high) ? low : low - WINDOW;
  const place = `${buffer.name} ${offset < 0 ? '-' : '+'} ${Math.abs(offset).toLocaleString('en')}`;
  const text =
    `it ${verb} ${bytes.toLocaleString('en')} B at ${place}, of which the launch gives ` +
    `${buffer.bytes.toLocaleString('en')} B`;
  warp.machine.misuse('out-of-bounds', index, text, RULE, warp);
}

/** The buffer that an access lies beyond or before, if it does not lie in one. */
function bufferBeside(
  bounds: Launch['bounds'],
  low: number,
  high: number,
  bytes: number,
): BoundedBuffer | undefined {
  const own = bounds.get(high);
  if (own !== undefined && low + bytes <= own.bytes) return undefined;
  // A larger buffer goes on in the window of the next one.
  if ((bounds.get(high - 1)?.bytes ?? 0) > WINDOW) return undefined;
  const isBefore = low >= HALF_WINDOW && (own?.bytes ?? 0) <= HALF_WINDOW;
  return (isBefore ? bounds.get(high + 1) : undefined) ?? own;
}

/** Reports an access beyond the variable at which it begins, or before which it lies. */
function checkVariable(warp: Warp, low: number, high: number, bytes: number, verb: string): void {
  const { placement, global } = warp.machine;
  const own = placement.variableAt(low, high);
  if (own !== null && (low + bytes <= own.to || own.isOpen)) return;
  const { index } = warp.instruction;
  const before = own ?? placement.variableBefore(low, high);
  if (before === null || before.isOpen || warp.ahead.look !== null) return;
  if (global.beyondBuffers.has(index)) return;
  global.beyondBuffers.add(index);
  const place = `${before.name} + ${(low - before.from).toLocaleString('en')}`;
  const size = (before.to - before.from).toLocaleString('en');
  const text = `it ${verb} ${bytes.toLocaleString('en')} B at ${place}, which has ${size} B`;
  warp.machine.misuse('out-of-bounds', index, text, VARIABLE_RULE, warp);
}

function reportNull(warp: Warp, at: number, bytes: number, verb: string): void {
  const { index } = warp.instruction;
  const { beyondBuffers } = warp.machine.global;
  if (warp.ahead.look !== null || beyondBuffers.has(index)) return;
  beyondBuffers.add(index);
  const text = `it ${verb} ${bytes} B at address ${at}, where a null pointer leads`;
  warp.machine.misuse('out-of-bounds', index, text, NULL_RULE, warp);
}
