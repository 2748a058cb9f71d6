// Of the ways to fill a channel between partitions, one needs a fence and had none.
// Triton's automatic warp specialization lowers what one partition puts for another to a store and
// an arrival. TMA loads and stores to tensor memory need nothing more; P of an attention kernel,
// which the softmax partition stores to shared memory for tcgen05.mma, needs a proxy fence between
// the two.
// The fix: the lowering adds it, for channels of shared memory that threads fill.
// https://github.com/triton-lang/triton/pull/8317
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

export default kernel('ws-attention', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const v = pipeline('v', { stages: 2, bytes: 8192 });
  const p = pipeline('p', { stages: 1, bytes: 32_768 });
  const acc = buffer('acc', { space: 'tmem' });
  const [accPut, accDone] = [barrier('accPut'), barrier('accDone')];

  const load = role('load', function* () {
    for (let block = 0; block < blocks; block++) {
      using slot = yield* v.produce();
      tma.load(slot);
    }
    yield* v.drain();
  });

  const softmax = role('softmax', { lanes: 128 }, function* () {
    for (let block = 0; block < blocks; block++) {
      using slot = yield* p.produce();
      write(slot.buffer());
      if (fixed) fence('proxy.async', { space: 'shared' });
      slot.arrive({ lanes: 1 });
    }
    yield* p.drain();
  });

  const correction = role('correction', { lanes: 128 }, function* () {
    for (let block = 0; block < blocks; block++) {
      yield* wait(accDone, block - 1);
      asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      asyncUse(UNITS.tcgen05St, { writes: [acc] });
      yield* waitGroup(UNITS.tcgen05St, 0);
      arrive(accPut);
    }
  });

  const mma = role('mma', function* () {
    for (let block = 0; block < blocks; block++) {
      using values = yield* v.consumeExplicit();
      using probabilities = yield* p.consumeExplicit();
      yield* wait(accPut, block);
      const reads = [...probabilities.buffers, ...values.buffers];
      asyncUse(UNITS.tcgen05, { reads, writes: [acc] });
      commit(UNITS.tcgen05, accDone);
      commit(UNITS.tcgen05, probabilities.mbar());
      commit(UNITS.tcgen05, values.mbar());
    }
    yield* wait(accDone, blocks - 1);
  });

  return [load, softmax, correction, mma];
});
