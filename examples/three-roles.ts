// Load, MMA and epilogue warps over two rings: the shape of a persistent tcgen05 GEMM.
//
// Shows: an input ring whose stages are freed by MMA commits, an accumulator ring in TMEM, and the
// life of TMEM: the mma role allocates it, hands its address over through shared memory behind a
// named barrier, gives up its permit, and frees it when every epilogue thread has read the last
// accumulator. Epilogue and MMA work on different tiles at the same time.
// Unlike gemm, the consumer of the first ring is the producer of the second, and no role waits for
// the tensor core: `tcgen05.commit` arrives for it.
//
//   role      lanes  waits for                         signals
//   load         32  ab.empty[s]                       ab.full[s], by the bytes of A and B
//   mma          32  acc.empty[a], then ab.full[s]     ab.empty[s] by a commit for each k step,
//                    for each k step; then lastRead    acc.full[a] by a commit after the last one
//   epilogue    128  named barrier 1; acc.full[a]      acc.empty[a] and then lastRead, every thread
import {
  alloc,
  arrive,
  arriveNamed,
  barrier,
  cell,
  count,
  end,
  free,
  kernel,
  load,
  loop,
  mma,
  pipeline,
  pool,
  read,
  relinquish,
  role,
  store,
  syncNamed,
  tma,
  wait,
  type Buffer,
} from 'poundlock';

const COLUMNS = 512; // of TMEM, in each SM
const ADDRESS_READY = 1; // a named barrier, for all threads of mma and epilogue

const defaults = { stages: 2, accumStages: 2, kSteps: 2, tiles: 4 };

export default kernel('three-roles', defaults, ({ stages, accumStages, kSteps, tiles }) => {
  const warp = { lanes: 32 };
  const warpgroup = { lanes: 128 };
  const ab = pipeline('ab', { stages, bytes: { a: 16_384, b: 16_384 } });
  const acc = pipeline('acc', { stages: accumStages, consumers: warpgroup.lanes });
  const tmem = pool('tmem', { capacity: COLUMNS, buffers: accumStages });
  const address = cell('address');
  const lastRead = barrier('lastRead', { count: warpgroup.lanes });
  const items = count(tiles);

  const loadWarp = role('load', warp, function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      for (let k = 0; k < kSteps; k++) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
      return null;
    });
    yield* ab.drain();
  });

  const mmaWarp = role('mma', warp, function* () {
    const accumulators: Buffer[] = [];
    for (let a = 0; a < accumStages; a++) {
      accumulators.push(yield* alloc(tmem, Math.floor(COLUMNS / accumStages)));
    }
    store(address, tmem.buffers.indexOf(accumulators[0]!));
    arriveNamed(ADDRESS_READY, warp.lanes + warpgroup.lanes);

    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using out = yield* acc.produce();
      for (let k = 0; k < kSteps; k++) {
        using tile = yield* ab.consumeExplicit();
        mma.issue(tile, [accumulators[out.index]!]);
        mma.commit(tile.mbar()); // frees the stage when this MMA has read it
      }
      mma.commit(out.mbar()); // the accumulator is complete
      return null;
    });

    relinquish(tmem);
    yield* wait(lastRead, 0);
    for (const accumulator of accumulators) free(accumulator);
  });

  const epilogueWarps = role('epilogue', warpgroup, function* () {
    yield* syncNamed(ADDRESS_READY, warp.lanes + warpgroup.lanes);
    const first = yield* load(address);

    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      using out = yield* acc.consume();
      read(tmem.buffers[first + out.index]!);
      return null; // every thread arrives on acc.empty
    });
    arrive(lastRead, { everyLane: true });
  });

  return [loadWarp, mmaWarp, epilogueWarps];
});
