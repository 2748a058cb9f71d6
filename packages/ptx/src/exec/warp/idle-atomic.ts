// Atomic accesses that store what they find, such as an addition of 0: a warp repeats them to poll.
import { accessOf } from '../../isa/questions.ts';
import { mayRepeat } from '../../flow/cycles.ts';
import { WORD } from '../grid/words.ts';
import type { GlobalAccess } from './global-lanes.ts';

const ONES = 0xffff_ffff;

/** The input with which each operation stores what it finds. */
const NEUTRAL: Readonly<Record<string, number>> = { add: 0, or: 0, xor: 0, and: ONES };
const NEUTRAL_UNSIGNED: Readonly<Record<string, number>> = { max: 0, min: ONES };

/** Whether an access that may be repeated leaves words as they are, whatever they hold. */
export function isIdle({ warp, instruction, form, inputs }: GlobalAccess): boolean {
  const { atomic, bytes, results, values } = form;
  if (atomic === '' || results.length === 0 || inputs.length === 0) return false;
  if (bytes !== WORD && bytes !== 2 * WORD) return false;
  if (!mayRepeat(warp.program.code, instruction.index)) return false;
  if (atomic === 'cas')
    return inputs.every((input, index) => input === inputs[index - (index % values.length)]);
  const isUnsigned = accessOf(instruction)?.type?.name === 'u32';
  const neutral = NEUTRAL[atomic] ?? (isUnsigned ? NEUTRAL_UNSIGNED[atomic] : undefined);
  const isOfAll = bytes === WORD || neutral === 0;
  return isOfAll && neutral !== undefined && inputs.every((input) => input === neutral);
}
