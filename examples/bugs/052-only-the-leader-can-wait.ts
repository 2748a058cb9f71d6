// All warps wait for the TMA stores of a ring before they write to it again, but the stores belong
// to the thread that issued them: the others wait for nothing.
// Quantization kernels: the warps fill a tile together, and one leader issues its store. Bulk
// groups are kept per issuing thread, so cp.async.bulk.wait_group returns at once elsewhere, and a
// warp that is ahead overwrites shared memory which the TMA engine still reads.
// The fix: the leader waits, and then a sync of all warps says so.
// https://github.com/NVIDIA/TransformerEngine/pull/3417
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

const WARPS = 4;
const THREADS = WARPS * 32;
const ALL = 0; // __syncthreads()

const defaults = { fixed: false, stages: 2, tiles: 4 };

export default kernel('quantize-mxfp8', defaults, ({ fixed, stages, tiles }) => {
  const ring = Array.from({ length: stages }, (_, stage) => buffer(`out[${stage}]`));

  const quantize = role('quantize', { warps: WARPS }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const out = ring[tile % stages]!;
      // At most the stores of the other stages are still under way.
      yield* waitGroup(UNITS.bulk, stages - 1, { read: true, by: fixed ? 'one' : 'all' });
      if (fixed) yield* syncNamed(ALL, THREADS);
      write(out);
      fence('proxy.async');
      yield* syncNamed(ALL, THREADS);
      asyncCopy(UNITS.bulk, { reads: [out], group: true, by: 'one' });
    }
    yield* waitGroup(UNITS.bulk, 0, { by: 'one' });
  });

  return [quantize];
});
