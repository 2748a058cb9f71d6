// Bug: one lane of the consumer waits for the tile, and all of its lanes read it.
// On hardware: a wait orders what its own thread does. The other lanes can run ahead and read the
// tile before the copy has written it: a wrong sum, now and then.
// Fix: all lanes wait, or the warp joins after the wait (__syncwarp).
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncWarp,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 16_384;

export default kernel('one-lane-waits', { tiles: 2, joined: false }, ({ tiles, joined }) => {
  const tile = buffer('tile');
  const full = barrier('full');
  const empty = barrier('empty');

  const load = role('load', function* () {
    for (let k = 0; k < tiles; k++) {
      yield* wait(empty, k - 1);
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: [tile], bar: full, bytes: BYTES });
    }
  });

  const add = role('add', { strands: 'lanes' }, function* () {
    for (let k = 0; k < tiles; k++) {
      yield* wait(full, k, { by: 'one' });
      if (joined) yield* syncWarp();
      read(tile);
      yield* syncWarp();
      arrive(empty, { by: 'one' });
    }
  });

  return [load, add];
});
