// __syncthreads() in the branch of the compute warps: 128 of the block's 384 threads reach it.
// tinygemm2 has 4 compute warps, 4 that load weights and 4 that load activations. The barrier of
// the reduction counts the whole block, and the other 8 warps have left. On some H100s
// that works by accident, on others the block hangs; synccheck found it.
// The fix: the threads of all warps come to one barrier.
// https://github.com/flashinfer-ai/flashinfer/pull/2996
import { buffer, kernel, pipeline, read, role, syncNamed, tma, write } from 'poundlock';

const BLOCK = 384;

export default kernel('tinygemm2', { fixed: false, steps: 1 }, ({ fixed, steps }) => {
  const bytes = { weight: 16_384, activation: 4096 };
  const tiles = pipeline('tiles', { stages: 2, bytes, producers: 2 });
  const partial = buffer('partial');

  const loader = (name: string, part: number) =>
    role(name, { lanes: 128 }, function* () {
      for (let step = 0; step < steps; step++) {
        using slot = yield* tiles.produce();
        tma.expect(slot, slot.partBytes[part]);
        tma.copy(slot, part);
      }
      if (fixed) yield* syncNamed(0, BLOCK);
    });

  const compute = role('compute', { lanes: 128 }, function* () {
    for (let step = 0; step < steps; step++) {
      using tile = yield* tiles.consumeExplicit();
      for (const part of tile.buffers) read(part);
      tile.arrive({ lanes: 1 });
    }
    write(partial);
    yield* syncNamed(0, BLOCK);
    read(partial);
  });

  return [loader('loadWeights', 0), loader('loadActivations', 1), compute];
});
