// A task stages the subtiles of two gradients in a ring of slots, and numbers the slots by a count
// that runs on over tiles instead of by the subtile.
// Attention backward: the same warps write a slot and store it by TMA, and a fixed wait keeps all
// but one store of the ring in flight. That is enough if a slot comes again after as many stores as
// there are slots. With the other number it comes again sooner, and is overwritten while it is
// stored. Modeled here: a count that is one tile ahead after each tile.
// The fix: the number of the subtile, modulo the slots.
// https://github.com/facebookexperimental/triton/pull/1864
import { asyncCopy, buffer, fence, kernel, role, UNITS, waitGroup, write } from 'poundlock';

const SLOTS = 2;
const BYTES = 16_384;
const SUBTILES = ['dk lower', 'dk upper', 'dv lower', 'dv upper'];

export default kernel('fa-backward-staging', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  // A subtile has a name of its own in each slot that it may be in.
  const staging = SUBTILES.map((name) =>
    Array.from({ length: SLOTS }, (_, slot) =>
      buffer(`${name} in ${slot}`, { at: slot * BYTES, bytes: BYTES }),
    ),
  );

  const compute = role('compute', { lanes: 256 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (const [subtile, places] of staging.entries()) {
        const slot = (fixed ? subtile : tile + subtile) % SLOTS;
        yield* waitGroup(UNITS.bulk, SLOTS - 1, { read: true });
        write(places[slot]!);
        fence('proxy.async');
        asyncCopy(UNITS.bulk, { reads: [places[slot]!], group: true });
      }
    }
    yield* waitGroup(UNITS.bulk, 0, { read: true });
  });

  return [compute];
});
