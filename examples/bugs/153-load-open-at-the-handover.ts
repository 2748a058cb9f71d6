// A warp loads from tensor memory and lets another warp store there before its load is over.
// The fix: tcgen05.wait::ld before the arrival.
// https://github.com/mlc-ai/TIRx-kernels/pull/53
import { arrive, asyncUse, barrier, buffer, kernel, role, UNITS, wait, waitGroup } from 'poundlock';

export default kernel('gdn-prefill', { fixed: false }, ({ fixed }) => {
  const columns = buffer('columns', { space: 'tmem' });
  const loaded = barrier('loaded');
  return [
    role('inverse', { lanes: 32 }, function* () {
      asyncUse(UNITS.tcgen05Ld, { reads: [columns] });
      if (fixed) yield* waitGroup(UNITS.tcgen05Ld, 0);
      arrive(loaded);
      yield* waitGroup(UNITS.tcgen05Ld, 0);
    }),
    role('state', { lanes: 32 }, function* () {
      yield* wait(loaded, 0);
      asyncUse(UNITS.tcgen05St, { writes: [columns] });
      yield* waitGroup(UNITS.tcgen05St, 0);
    }),
  ];
});
