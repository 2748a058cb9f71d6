// Shared memory as the place of words that warps wait for. Their histories know all that is written
// there: what writes them in another way, such as a copy, leaves them unknown.
import { sharedAddress } from '../../steps/pages.ts';
import { offsetOf } from '../../steps/step.ts';
import type { Machine } from '../machine/machine.ts';
import type { SharedStore } from './words.ts';

const IN_ANOTHER_WAY =
  'a word of shared memory that warps wait for is written with what is beside it, or by a copy';

/** The shared memory of a machine, whose words are watched. */
export function sharedStoreOf(machine: Machine): SharedStore {
  const { memory, order } = machine;
  const offsets = [...(order.sharedWords ?? [])];
  let isOwn = false;
  if (offsets.length > 0)
    memory.watch = (from, to) => {
      if (isOwn) return;
      const block = from - offsetOf(from);
      const isMet = offsets.some((offset) => {
        const word = block + offset;
        return word < to && from < word + machine.words!.sizeOf(sharedAddress(word));
      });
      if (isMet) machine.noteUndecided(-1, IN_ANOTHER_WAY);
    };
  return {
    load: (address, bytes, out) => memory.load(address, bytes, out),
    store: (address, bytes, value, isKnown) => {
      isOwn = true;
      memory.store(address, bytes, value, isKnown, null);
      isOwn = false;
    },
  };
}
