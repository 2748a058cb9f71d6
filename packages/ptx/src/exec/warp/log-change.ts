// Notes changes of words for the search of all orders of what warps do with them.
import { WORD } from '../grid/words.ts';
import { numberOf } from '../grid/word-values.ts';
import type { Wide } from '../../values/wide.ts';
import type { GlobalAccess } from './global-lanes.ts';

const value: Wide = { low: 0, high: 0 };

/** Notes what an element of a lane changes, before it does. */
export function logChange(
  { warp, form, words, isTurn }: GlobalAccess,
  lane: number,
  element: number,
  address: number,
): void {
  const { choices } = warp.machine;
  if (choices === null) return;
  const { log } = choices;
  const { bytes } = form;
  const by = { kind: 'change' as const, warp: warp.number, bytes, atomic: form.atomic };
  const isWord = bytes === WORD || bytes === 2 * WORD;
  if (!isWord || address % bytes !== 0) {
    for (let word = address - (address % WORD); word < address + form.bytes; word += WORD)
      log.push({ ...by, address: word, operands: null, answer: null });
    return;
  }
  const registers = form.isStore ? [form.values[element]!] : form.values;
  const operands: number[] = [];
  for (const register of registers)
    if (warp.registers.read(register, lane, value) && !warp.mode.isUncertain)
      operands.push(numberOf(value, bytes));
  const answer =
    isTurn === true && words.load(address, bytes, value) ? numberOf(value, bytes) : null;
  const isKnown = operands.length === registers.length;
  log.push({ ...by, address, operands: isKnown ? operands : null, answer });
}
