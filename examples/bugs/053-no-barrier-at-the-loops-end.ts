// Two warpgroups copy a tile together and multiply it, and the next copy begins although the other
// warpgroup's wgmma may still read the tile.
// A compiler inserts the barrier between the copy and the products, and in similar kernels one at
// the end of the loop. It misses that one where two guarded warpgroups read by wgmma: waiting for
// groups orders the reads of one's own warpgroup alone.
// The fix here: the barrier at the end of the loop.
// https://github.com/tile-ai/tilelang/issues/2613
import {
  asyncUse,
  buffer,
  fence,
  kernel,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const WARPGROUP = 128;
const ALL = 0; // __syncthreads()

export default kernel('unpipelined-gemm', { fixed: false, steps: 3 }, ({ fixed, steps }) => {
  const a = [0, 1].map((half) => buffer(`a[${half}]`));
  const b = [0, 1].map((half) => buffer(`b[${half}]`));

  const warpgroup = (index: number) =>
    role(`warpgroup${index}`, { lanes: WARPGROUP }, function* () {
      for (let step = 0; step < steps; step++) {
        write(a[index]!); // this warpgroup's part of the tile that both read
        write(b[index]!);
        fence('proxy.async');
        yield* syncNamed(ALL, 2 * WARPGROUP);
        asyncUse(UNITS.wgmma, { reads: [...a, b[index]!], group: true });
        yield* waitGroup(UNITS.wgmma, 0);
        if (fixed) yield* syncNamed(ALL, 2 * WARPGROUP);
      }
    });

  return [warpgroup(0), warpgroup(1)];
});
