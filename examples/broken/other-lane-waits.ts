// Bug: lane 0 issues the TMA store of the tile, and lane 1 waits for it before it writes the next.
// On hardware: bulk groups belong to the thread that commits them. Lane 1 has none, so its wait
// passes at once, and it overwrites what the store still reads.
// Fix: lane 0 waits for its own group, and the lanes join afterwards (__syncwarp).
import {
  asyncCopy,
  buffer,
  fence,
  kernel,
  role,
  syncWarp,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

export default kernel('other-lane-waits', { tiles: 2, waiter: 1 }, ({ tiles, waiter }) => {
  const sO = buffer('sO');

  const epilogue = role('epilogue', { strands: 'lanes' }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      write(sO);
      fence('proxy.async');
      yield* syncWarp();
      asyncCopy(UNITS.bulk, { reads: [sO], group: true, by: { lane: 0 } });
      yield* waitGroup(UNITS.bulk, 0, { read: true, by: { lane: waiter } });
      yield* syncWarp();
    }
  });

  return [epilogue];
});
