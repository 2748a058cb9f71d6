// The main loop reads its stages with ldmatrix and gives them back to TMA without a fence.
// GEMM for consumer Blackwell, with warp-level mma: the warps copy a stage to registers, a k block
// ahead, and one lane arrives for the next TMA load. Both places that release, in the loop and for
// the last tile after it, relied on mma.sync as the last instruction before.
// The fix: in both places a proxy fence, and a __syncwarp before the lane arrives. All reuses of
// the ring are alike, so `check` asks for the fence only with --memory isa.
// https://github.com/Dao-AILab/quack/commit/0ab127b
import { fence, kernel, pipeline, read, role, syncWarp, tma } from 'poundlock';

const MMA_WARPS = 2;

export default kernel('gemm-sm120', { fixed: false, kTiles: 3 }, ({ fixed, kTiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: { a: 16_384, b: 16_384 }, consumers: MMA_WARPS });

  const load = role('load', function* () {
    for (let k = 0; k < kTiles; k++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const mma = (warp: number) =>
    role(`mma${warp}`, { strands: 'lanes' }, function* () {
      for (let k = 0; k < kTiles; k++) {
        using tile = yield* ab.consumeExplicit();
        for (const part of tile.buffers) read(part); // ldmatrix
        if (fixed) fence('proxy.async', { space: 'shared' });
        yield* syncWarp(); // before: mma.sync
        tile.arrive({ lanes: 1 });
      }
    });

  return [load, ...Array.from({ length: MMA_WARPS }, (_, warp) => mma(warp))];
});
