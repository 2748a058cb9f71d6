import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, waitParity } from 'poundlock';

export default kernel('gluon', { tiles: 5 }, ({ tiles }) => {
  const buffers = 2;
  const ready = [0, 1].map((i) => barrier(`ready[${i}]`, { count: 1 })); // mbarrier.init(…, count=1)
  const empty = [0, 1].map((i) => barrier(`empty[${i}]`, { count: 1 }));
  const smem = [0, 1].map((i) => buffer(`smem[${i}]`));
  const phaseOf = (i: number) => Math.floor(i / buffers) & 1;

  const loadPartition = role('load', { lanes: 32 }, function* () {
    for (let i = 0; i < tiles; i++) {
      const at = i % buffers;
      yield* waitParity(empty[at]!, phaseOf(i) ^ 1); // mbarrier.wait(empty_bar, phase ^ 1)
      arrive(ready[at]!, { bytes: 16_384 }); // mbarrier.expect(ready_bar, nbytes)
      asyncCopy(UNITS.tma, { into: [smem[at]!], bar: ready[at]!, bytes: 16_384 }); // tma.async_load
    }
  });
  const usePartition = role('use', { lanes: 128 }, function* () {
    for (let i = 0; i < tiles; i++) {
      const at = i % buffers;
      yield* waitParity(ready[at]!, phaseOf(i));
      read(smem[at]!);
      arrive(empty[at]!); // mbarrier.arrive(empty_bar, count=1)
    }
  });
  return [loadPartition, usePartition];
});
