// All threads arrive at a barrier that one of them has just initialized.
// A test of nvFuser: a tile is transposed through shared memory with an mbarrier in place of
// __syncthreads. One thread initializes it for all 1,024, and no thread waits for that: the test
// hung on an H100, now and then.
// The fix: __syncthreads after the initialization.
// https://github.com/NVIDIA/Fuser/issues/1552
import {
  arrive,
  barrier,
  buffer,
  init,
  kernel,
  namedBarrier,
  read,
  role,
  syncNamed,
  wait,
  write,
} from 'poundlock';

const WARPS = 4;
const THREADS = 32 * WARPS;

export default kernel('mbarrier-simple', { fixed: false }, ({ fixed }) => {
  const tile = buffer('T1', { bytes: 4096 });
  const arrived = barrier('T3', { count: 0 });
  const block = namedBarrier('__syncthreads', { id: 0, threads: THREADS });

  const warps = role('block', { warps: WARPS }, function* () {
    init(arrived, THREADS, { by: { warp: 0 } });
    if (fixed) yield* syncNamed(block);
    write(tile);
    arrive(arrived, { by: 'each' });
    yield* wait(arrived, 0);
    read(tile);
  });
  return [warps];
});
