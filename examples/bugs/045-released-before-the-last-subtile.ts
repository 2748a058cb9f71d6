// The epilogue gives the columns that two accumulators share back before it loads the subtile that
// is in them.
// Grouped GEMMs on Blackwell: two accumulator stages overlap in tensor memory, so an epilogue reads
// the subtile in the shared columns first and releases early, before the rest. In three kernels the
// release stood above the copy of that subtile: the order was wait, arrive, load.
// The fix: load, wait for the load, arrive.
// https://github.com/NVIDIA/cudnn-frontend/pull/654
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  kernel,
  role,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

export default kernel('grouped-gemm', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const overlap = buffer('overlap', { space: 'tmem' }); // columns of both stages
  const own = [0, 1].map((stage) => buffer(`own[${stage}]`, { space: 'tmem' }));
  const full = [0, 1].map((stage) => barrier(`full[${stage}]`));
  const empty = barrier('empty'); // of the shared columns

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      asyncUse(UNITS.tcgen05, { writes: [own[tile % 2]!, overlap] });
      commit(UNITS.tcgen05, full[tile % 2]!);
    }
    yield* wait(empty, tiles - 1);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(full[tile % 2]!, Math.floor(tile / 2));
      if (!fixed) arrive(empty);
      asyncUse(UNITS.tcgen05Ld, { reads: [overlap] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) arrive(empty);
      asyncUse(UNITS.tcgen05Ld, { reads: [own[tile % 2]!] });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
    }
  });

  return [mma, epilogue];
});
