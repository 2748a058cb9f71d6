// Examples of a Blackwell GEMM order tensor memory by barriers alone.
// A persistent kernel of TileLang: a warp issues the products of a tile, and four warps load the
// accumulator when its barrier completes, and give it back by another one. The PTX manual wants
// tcgen05.fence::after_thread_sync after each such wait, and ::before_thread_sync before the
// arrival.
// The fix: intrinsics for both, and calls at these places. Kernels without them are known to work
// (all of CUTLASS C++), so `check` asks for them only with --memory isa.
// https://github.com/tile-ai/tilelang/pull/1980
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  namedBarrier,
  pipeline,
  role,
  syncNamed,
  tma,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

export default kernel('gemm-persistent', { fixed: false, tiles: 2, kTiles: 2 }, (config) => {
  const { fixed, tiles, kTiles } = config;
  const ab = pipeline('ab', { stages: 2, bytes: 32_768 });
  const tmem = buffer('C_tmem', { space: 'tmem' });
  const [full, empty] = [barrier('tmem_full'), barrier('tmem_empty')];
  const epilogue = namedBarrier('epilogue', { id: 1, threads: 128 });

  const load = role('load', function* () {
    for (let item = 0; item < tiles * kTiles; item++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      if (fixed) fence('tcgen05.after');
      for (let k = 0; k < kTiles; k++) {
        using operands = yield* ab.consumeExplicit();
        if (fixed) fence('tcgen05.after');
        asyncUse(UNITS.tcgen05, { reads: operands.buffers, writes: [tmem] });
        commit(UNITS.tcgen05, operands.mbar());
      }
      commit(UNITS.tcgen05, full);
    }
  });

  const store = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full, tile);
      if (fixed) fence('tcgen05.after');
      yield* syncNamed(epilogue);
      asyncUse(UNITS.tcgen05Ld, { reads: [tmem] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) fence('tcgen05.before');
      arrive(empty);
    }
  });

  return [load, multiply, store];
});
