// Global memory that asynchronous copies touch where all blocks are executed: what is not compared.
import { isMultimem } from '../../isa/questions.ts';
import type { Machine } from '../machine/machine.ts';
import type { PlacedNote } from '../../steps/run.ts';
import type { PtxFunction } from '../../text/module.ts';

const NOT_COMPARED =
  'what copies through tensor maps, or at addresses that are data, touch in global memory is not ' +
  'compared between blocks: none touches it at the same time, or without the fences of their proxy';

/** What is assumed of the copies that a run executed; `null` where all are compared. */
export function copiesBetween(
  { instructions }: PtxFunction,
  { reached, uncompared }: Machine,
): PlacedNote | null {
  const other = instructions.find((each) => reached[each.index] === 1 && isMultimem(each));
  const at = uncompared ?? other?.index;
  return at === undefined ? null : { at, text: NOT_COMPARED };
}
