// Writes of a word that warps draw from in turn. A warp that has drawn last may store into the
// word: that this comes after all draws before follows from the order of the word itself. Draws
// after it have to be ordered with it, which a place shows that stands for the word from then on.
import { PAGE } from '../../steps/pages.ts';
import { placeOf, record } from './global-lanes.ts';
import type { GlobalAccess } from './global-lanes.ts';

/** Addresses that no memory has: pages that stand for words behind such stores. */
const RESETS = 2 ** 52 + 2 ** 32;

/** Records that lanes write a word, or a place that stands for it. */
function writeAt(
  access: GlobalAccess,
  kind: GlobalAccess['form']['kind'],
  at: number,
  lanes: number,
): void {
  const place = placeOf(access.warp, at);
  const writes = [place, place + access.words.sizeOf(at)];
  record(access, kind, lanes, { reads: [], writes, values: [] });
}

/** Records a write that the order of the word itself puts behind all draws before. */
function reset(access: GlobalAccess, address: number, lanes: number): void {
  const { warp, words } = access;
  const { machine } = warp;
  const place = RESETS + ++words.resetCount * PAGE;
  machine.pointers.push({ name: machine.nameOf(placeOf(warp, address)), address: place });
  words.resets.set(address, place);
  writeAt(access, 'atomic', address, lanes);
  writeAt(access, 'plain', place, lanes);
}

/** Records a write behind all draws, which was noted before: it has to be ordered with them. */
export function recordAfterDraws(access: GlobalAccess, address: number, lanes: number): void {
  const { warp, words } = access;
  if (words.histories.get(address)!.writes.at(-2)?.warp === warp.number)
    reset(access, address, lanes);
  else writeAt(access, 'plain', words.resets.get(address) ?? address, lanes);
}

/** Records that lanes write a word, which was noted before. */
export function recordWrite(access: GlobalAccess, address: number, lanes: number): void {
  const { warp, words, form } = access;
  const { machine } = warp;
  const isDrawn = machine.choices !== null && machine.plans.words.get(address)?.draws !== undefined;
  const before = words.histories.get(address)!.writes.at(-2);
  const isPlain = form.isStore && form.kind === 'plain';
  const isReset = isDrawn && isPlain && before?.warp === warp.number;
  if (isReset) {
    reset(access, address, lanes);
    return;
  }
  const since = words.resets.get(address);
  writeAt(access, form.kind, address, lanes);
  if (since !== undefined) writeAt(access, form.kind, since, lanes);
}
