// The softmax stores the slices of P to shared memory and signals the MMA, without a fence.
// TLX tutorial, flash attention forward: P goes to the second product in slices, each with a
// barrier of its own. The tensor core reads shared memory through the async proxy, so the arrival
// alone does not bring the stores to it.
// The fix: fence_async_shared between the store of a slice and the arrival at its barrier. (So the
// thread says; the tutorial of that day has P in tensor memory, where the fence orders nothing.)
// https://github.com/facebookexperimental/triton/pull/737
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  pipeline,
  role,
  tma,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const SLICES = [0, 1];

export default kernel('fa-ws-pipelined', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const kv = pipeline('kv', { stages: 2, bytes: { k: 16_384, v: 16_384 } });
  const scores = buffer('qk', { space: 'tmem' });
  const out = buffer('acc', { space: 'tmem' });
  const qkFull = barrier('qkFull');
  const slices = SLICES.map((slice) => ({
    p: buffer(`p[${slice}]`, { bytes: 8192 }),
    full: barrier(`pFull[${slice}]`),
    empty: barrier(`pEmpty[${slice}]`),
  }));

  const load = role('load', function* () {
    for (let block = 0; block < blocks; block++) {
      using slot = yield* kv.produce();
      tma.load(slot);
    }
    yield* kv.drain();
  });

  const mma = role('mma', function* () {
    for (let block = 0; block < blocks; block++) {
      using tile = yield* kv.consumeExplicit();
      const [k, v] = tile.buffers;
      asyncUse(UNITS.tcgen05, { reads: [k!], writes: [scores] });
      commit(UNITS.tcgen05, qkFull);
      for (const { p, full, empty } of slices) {
        yield* wait(full, block);
        asyncUse(UNITS.tcgen05, { reads: [p, v!], writes: [out] });
        commit(UNITS.tcgen05, empty);
      }
      commit(UNITS.tcgen05, tile.mbar());
    }
    for (const { empty } of slices) yield* wait(empty, blocks - 1);
  });

  const softmax = role('softmax', { lanes: 128 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(qkFull, block);
      asyncUse(UNITS.tcgen05Ld, { reads: [scores] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      for (const { p, full, empty } of slices) {
        yield* wait(empty, block - 1);
        write(p);
        if (fixed) fence('proxy.async', { space: 'shared' });
        arrive(full);
      }
    }
  });

  return [load, mma, softmax];
});
