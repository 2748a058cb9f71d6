// The loader turns its two tensor maps to the next group while the last loads still read them.
// DeepGEMM, the gradient of weights with groups along K: maps for A and B lie in global memory, one
// pair for each block. When the scheduler changes groups, the TMA thread writes both, releases and
// acquires them, and goes on; nothing waits for the loads that it issued before. A load that reads
// a map in the middle of the change corrupts the result.
// The fix: the loads are drained first, with commit_group and wait_group.
// https://github.com/deepseek-ai/DeepGEMM/pull/343
import {
  arrive,
  asyncCopy,
  asyncUse,
  buffer,
  commitGroup,
  fence,
  kernel,
  pipeline,
  role,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const BYTES = 16_384;
const sizes = { fixed: false, groups: 2, kBlocks: 2 };

export default kernel('k-grouped-gemm', sizes, ({ fixed, groups, kBlocks }) => {
  const maps = ['A', 'B'].map((name) => buffer(`gmem_tensor_map_${name}`, { space: 'tensormap' }));
  const ab = pipeline('ab', { stages: 3, bytes: { a: BYTES, b: BYTES } });

  const tma = role('tma', function* () {
    for (let group = 0; group < groups; group++) {
      if (fixed) {
        commitGroup(UNITS.tma);
        yield* waitGroup(UNITS.tma, 0);
      }
      for (const map of maps) write(map);
      fence('proxy.tensormap', { direction: 'release' });
      for (const map of maps) fence('proxy.tensormap', { direction: 'acquire', map });

      for (let k = 0; k < kBlocks; k++) {
        using slot = yield* ab.produce();
        const bar = ab.producerMbar(slot.index);
        for (const [part, into] of slot.buffers.entries()) {
          asyncCopy(UNITS.tma, { into: [into], map: maps[part]!, bar, bytes: BYTES });
        }
        arrive(bar, { bytes: 2 * BYTES });
      }
    }
    yield* ab.drain();
  });

  const math = role('math', { lanes: 128 }, function* () {
    for (let k = 0; k < groups * kBlocks; k++) {
      using tile = yield* ab.consumeExplicit();
      asyncUse(UNITS.wgmma, { reads: tile.buffers, group: true });
      yield* waitGroup(UNITS.wgmma, 0);
      tile.arrive({ lanes: 1 });
    }
  });

  return [tma, math];
});
