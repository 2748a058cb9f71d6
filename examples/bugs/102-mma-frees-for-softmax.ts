// The MMA warp deallocates tensor memory when its own loop is over, while softmax and correction
// still work on what it has computed.
// Attention on Blackwell: the MMA warp allocates, and the sync before the deallocation was lost.
// The other roles neither said that they are done, nor did the warp wait for them. The backward
// kernel had the same.
// The fix: the named barrier of the allocation once more. The others arrive there when they are
// done, and the MMA warp waits before it frees.
// https://github.com/Dao-AILab/flash-attention/commit/dd8a2729
import {
  alloc,
  arriveNamed,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  pool,
  relinquish,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const TMEM = 1; // a named barrier: the MMA warp, two softmax warpgroups and correction
const THREADS = 32 + 3 * 128;

export default kernel('fa-forward-dealloc', { fixed: false }, ({ fixed }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 3 });
  const [s0, s1, o] = tmem.buffers;
  const full = ['s0', 's1', 'o'].map((name) => barrier(`${name}_full`));

  const mma = role('mma', { lanes: 32 }, function* () {
    for (const columns of [128, 128, 256]) yield* alloc(tmem, columns);
    yield* syncNamed(TMEM, THREADS); // the address is there
    for (const [index, accumulator] of [s0!, s1!, o!].entries()) {
      asyncUse(UNITS.tcgen05, { writes: [accumulator] });
      commit(UNITS.tcgen05, full[index]!);
    }
    relinquish(tmem);
    if (fixed) yield* syncNamed(TMEM, THREADS);
    else yield* wait(full[2]!, 0);
    for (const accumulator of [s0!, s1!, o!]) free(accumulator);
  });

  const reader = (name: string, index: number) =>
    role(name, { lanes: 128 }, function* () {
      yield* syncNamed(TMEM, THREADS);
      yield* wait(full[index]!, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [tmem.buffers[index]!] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) arriveNamed(TMEM, THREADS);
    });

  return [mma, reader('softmax0', 0), reader('softmax1', 1), reader('correction', 2)];
});
