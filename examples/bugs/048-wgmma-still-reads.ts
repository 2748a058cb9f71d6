// The math role releases a stage when at most one wgmma is pending, which is the one that reads it.
// A compiler keeps a wgmma in flight over the end of an iteration (wait with pendings above zero).
// In a warp-specialized loop an arrival follows that wait and frees the shared memory, so that the
// load partition overwrites what the tensor core still reads.
// The fix: with barriers between warps in the loop, wait for all groups after each wgmma.
// https://github.com/facebookexperimental/triton/pull/1278
import { arrive, asyncUse, kernel, pipeline, role, tma, UNITS, waitGroup } from 'poundlock';

const defaults = { fixed: false, stages: 3, steps: 4 };

export default kernel('hopper-gemm', defaults, ({ fixed, stages, steps }) => {
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 32_768 } });

  const load = role('load', { lanes: 32 }, function* () {
    for (let step = 0; step < steps; step++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const math = role('math', { lanes: 128 }, function* () {
    for (let step = 0; step < steps; step++) {
      using tile = yield* ab.consumeExplicit();
      asyncUse(UNITS.wgmma, { reads: tile.buffers, group: true });
      yield* waitGroup(UNITS.wgmma, fixed ? 0 : 1);
      arrive(tile.mbar());
    }
    yield* waitGroup(UNITS.wgmma, 0);
  });

  return [load, math];
});
