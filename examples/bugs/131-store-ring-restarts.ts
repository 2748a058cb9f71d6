// The epilogue begins each tile at stage 0 of its ring of output buffers, wherever the last tile ended.
// A persistent GEMM takes the stage from the number of tiles that the scheduler object has counted.
// Each warp has its own object, and only that of the scheduler warp counts; in the epilogue it stays 0.
// Four subtiles in three stages end at stage 0 and start there again, while the wait leaves two stores
// open: the last store of a tile still reads what the next tile overwrites.
// The fix: the epilogue counts its own tiles.
// https://github.com/NVIDIA/cutlass/pull/3636
import {
  asyncCopy,
  buffer,
  fence,
  kernel,
  namedBarrier,
  role,
  syncNamed,
  UNITS,
  waitGroup,
  write,
} from 'poundlock';

const SUBTILES = 4;
const STAGES = 3;

export default kernel('clc-epilogue', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const sC = Array.from({ length: STAGES }, (_, s) => buffer(`sC[${s}]`, { bytes: 8192 }));
  const epilogue = namedBarrier('epilogue', { id: 1, threads: 128 });

  return [
    role('epilogue', { warps: 4 }, function* () {
      for (let tile = 0; tile < tiles; tile++) {
        for (let sub = 0; sub < SUBTILES; sub++) {
          const s = ((fixed ? tile : 0) * SUBTILES + sub) % STAGES;
          yield* waitGroup(UNITS.bulk, STAGES - 1, { read: true, by: { warp: 0 } });
          yield* syncNamed(epilogue);
          write(sC[s]!);
          fence('proxy.async', { space: 'shared' });
          yield* syncNamed(epilogue);
          asyncCopy(UNITS.bulk, { reads: [sC[s]!], group: true, by: { warp: 0 } });
        }
      }
      yield* waitGroup(UNITS.bulk, 0, { by: { warp: 0 } });
    }),
  ];
});
