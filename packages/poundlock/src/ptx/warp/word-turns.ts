// Writes of a word that warps draw from in turn. A warp that has drawn last may store into the
// word: that this comes after all draws before follows from the order of the word itself. Draws
// after it have to be ordered with it, which a place shows that stands for the word from then on.
import { WORD } from '../grid/words.ts';
import { PAGE } from '../steps/pages.ts';
import { placeOf, record } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';

/** Addresses that no memory has: pages that stand for words behind such stores. */
const RESETS = 2 ** 52 + 2 ** 32;

/** Records that lanes write a word, which was noted before. */
export function recordWrite(access: GlobalAccess, address: number, lanes: number): void {
  const { warp, words, form } = access;
  const { machine } = warp;
  const write = (kind: typeof form.kind, at: number): void => {
    const place = placeOf(warp, at);
    record(access, kind, lanes, { reads: [], writes: [place, place + WORD], values: [] });
  };
  const isDrawn = machine.choices !== null && machine.plans.words.get(address)?.draws !== undefined;
  const before = words.histories.get(address)!.writes.at(-2);
  const isPlain = form.isStore && form.kind === 'plain';
  const isReset = isDrawn && isPlain && before?.warp === warp.number;
  write(isReset ? 'atomic' : form.kind, address);
  const since = words.resets.get(address);
  if (isReset) {
    const place = RESETS + ++words.resetCount * PAGE;
    machine.pointers.push({ name: machine.nameOf(placeOf(warp, address)), address: place });
    words.resets.set(address, place);
    write('plain', place);
  } else if (since !== undefined) write(form.kind, since);
}
