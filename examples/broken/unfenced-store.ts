// Bug: the epilogue writes a tile, and a TMA store reads it without a proxy fence between them.
// On hardware: threads write shared memory through the generic proxy, and a bulk copy reads it
// through the async proxy. The store can read what was there before the tile: a wrong result, now
// and then.
// Fix: every thread that wrote executes fence('proxy.async') before the barrier
// (fence.proxy.async.shared::cta).
import {
  asyncCopy,
  buffer,
  fence,
  kernel,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

export default kernel('unfenced-store', { tiles: 2, fenced: false }, ({ tiles, fenced }) => {
  const sO = buffer('sO');

  const epilogue = role('epilogue', { warps: 4 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      write(sO);
      if (fenced) fence('proxy.async');
      yield* syncNamed(1, 128);
      asyncCopy(UNITS.bulk, { reads: [sO], group: true, by: 'one' });
      yield* waitGroup(UNITS.bulk, 0, { read: true, by: 'one' });
      yield* syncNamed(1, 128);
    }
  });

  return [epilogue];
});
