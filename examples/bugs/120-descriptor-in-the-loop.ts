// Each round of a loop makes its descriptor anew, in the place of one that loads still read.
// TLX tutorial, grouped GEMM: the producer makes a tensor descriptor for each problem and loads its
// tiles by it. The loads are asynchronous, and the next descriptor has the same place in memory.
// The fix: before the next one is made, the producer waits for the full barrier of the last tile.
// (Loads complete in any order. With --set stages=2, as in the kernel, `check` finds that an older
// load of the same problem can still read the descriptor when that barrier completes.)
// https://github.com/facebookexperimental/triton/pull/680
import {
  arrive,
  asyncCopy,
  asyncUse,
  buffer,
  commit,
  fence,
  kernel,
  pipeline,
  role,
  UNITS,
  wait,
  write,
} from 'poundlock';

const BYTES = 16_384;
const sizes = { fixed: false, problems: 3, kTiles: 2, stages: 1 };

export default kernel('grouped-gemm', sizes, ({ fixed, problems, kTiles, stages }) => {
  const descriptor = buffer('a_desc', { space: 'tensormap' });
  const acc = buffer('acc', { space: 'tmem' });
  const a = pipeline('a', { stages, bytes: BYTES });

  const producer = role('producer', { lanes: 32 }, function* () {
    let loads = 0;
    for (let problem = 0; problem < problems; problem++) {
      write(descriptor);
      fence('proxy.tensormap', { direction: 'release' });
      fence('proxy.tensormap', { direction: 'acquire', map: descriptor });
      for (let k = 0; k < kTiles; k++) {
        using slot = yield* a.produce();
        const bar = a.producerMbar(slot.index);
        arrive(bar, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: slot.buffers, map: descriptor, bar, bytes: BYTES });
        loads++;
      }
      const last = loads - 1;
      if (fixed && kTiles > 0) {
        yield* wait(a.producerMbar(last % stages), Math.floor(last / stages));
      }
    }
    yield* a.drain();
  });

  const mma = role('mma', function* () {
    for (let k = 0; k < problems * kTiles; k++) {
      using tile = yield* a.consumeExplicit();
      asyncUse(UNITS.tcgen05, { reads: tile.buffers, writes: [acc] });
      commit(UNITS.tcgen05, tile.mbar());
    }
  });

  return [producer, mma];
});
