// One stage of tensor memory holds four results in turn, and a warpgroup gives two of them back
// without waiting for its tcgen05.ld.
// A chunked linear attention on Blackwell. After the two other loads something drains them by the
// way: a store to tensor memory, which is waited for, needs what was loaded. The first warpgroup of
// the same kernel waits explicitly. With a single stage, the next MMA overwrites what is still
// read.
// The fix: tcgen05.wait::ld before the releases of KS and of NV; the other two stay as they are.
// https://github.com/flashinfer-ai/flashinfer/issues/5334
import { asyncUse, buffer, commit, kernel, pipeline, role, UNITS, waitGroup } from 'poundlock';

const RESULTS = [
  { name: 'KS', isStored: false },
  { name: 'QS', isStored: true },
  { name: 'NV', isStored: false },
  { name: 'OQS', isStored: true },
];

export default kernel('gdn-chunk', { fixed: false, chunks: 1 }, ({ fixed, chunks }) => {
  const stage = buffer('cg1_shared_acc', { space: 'tmem' });
  const state = buffer('state', { space: 'tmem' });
  const shared = pipeline('shared', { stages: 1, consumers: 128 });

  const mma = role('mma', function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      for (let result = 0; result < RESULTS.length; result++) {
        using slot = yield* shared.produce();
        asyncUse(UNITS.tcgen05, { writes: [stage] });
        commit(UNITS.tcgen05, slot.mbar());
      }
    }
    yield* shared.drain();
  });

  const group1 = role('group1', { lanes: 128 }, function* () {
    for (let chunk = 0; chunk < chunks; chunk++) {
      for (const { isStored } of RESULTS) {
        using _found = yield* shared.consume();
        asyncUse(UNITS.tcgen05Ld, { reads: [stage] });
        if (isStored) {
          yield* waitGroup(UNITS.tcgen05Ld, 0); // the registers that are stored next
          asyncUse(UNITS.tcgen05St, { writes: [state] });
          yield* waitGroup(UNITS.tcgen05St, 0);
        } else if (fixed) yield* waitGroup(UNITS.tcgen05Ld, 0);
      }
    }
  });

  return [mma, group1];
});
