// Without TMA a barrier loses the attributes that it should be initialized with.
// No more is known here. Modeled is one way to hang: the tile is copied by the threads of the load
// warpgroup, which all arrive, and the barrier counts all threads of the block.
// The fix here: the barrier counts the threads that copy.
// https://github.com/tile-ai/tilelang/pull/1995
import {
  arrive,
  barrier,
  buffer,
  init,
  kernel,
  read,
  role,
  syncNamed,
  wait,
  write,
} from 'poundlock';

const WARPGROUP = 128;
const BLOCK = 2 * WARPGROUP;

export default kernel('gemm-without-tma', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const full = barrier('full', { count: 0 });
  const empty = barrier('empty', { count: 0 });
  const tile = buffer('tile');

  const producer = role('producer', { lanes: WARPGROUP }, function* () {
    init(full, fixed ? WARPGROUP : BLOCK);
    init(empty, WARPGROUP);
    yield* syncNamed(0, BLOCK);
    for (let k = 0; k < tiles; k++) {
      yield* wait(empty, k - 1);
      write(tile);
      arrive(full, { everyLane: true });
    }
  });

  const consumer = role('consumer', { lanes: WARPGROUP }, function* () {
    yield* syncNamed(0, BLOCK);
    for (let k = 0; k < tiles; k++) {
      yield* wait(full, k);
      read(tile);
      arrive(empty, { everyLane: true });
    }
  });

  return [producer, consumer];
});
