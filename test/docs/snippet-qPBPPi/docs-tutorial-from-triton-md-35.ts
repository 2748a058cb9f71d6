import { arrive, asyncCopy, asyncUse, barrier, buffer, commit, kernel, role, UNITS, waitParity } from 'poundlock';

export default kernel('gluon', { buffers: 2, n: 5 }, ({ buffers, n }) => {
  const slots = Array.from({ length: buffers }, (_, slot) => slot);
  const ready = slots.map((i) => barrier(`ready[${i}]`, { count: 1 })); // mbarrier.init(…, count=1)
  const empty = slots.map((i) => barrier(`empty[${i}]`, { count: 1 }));
  const smem = slots.map((i) => buffer(`smem[${i}]`));
  const acc = buffer('acc');

  const load = role('load', function* () {
    for (let i = 0; i < n; i++) {
      const slot = i % buffers;
      const phase = Math.floor(i / buffers) & 1;
      yield* waitParity(empty[slot]!, phase ^ 1); // mbarrier.wait(empty, phase ^ 1)
      arrive(ready[slot]!, { bytes: 16_384 }); // mbarrier.expect: an arrival that expects bytes
      asyncCopy(UNITS.tma, { into: [smem[slot]!], bar: ready[slot]!, bytes: 16_384 });
    }
  });

  const multiply = role('mma', function* () {
    for (let i = 0; i < n; i++) {
      const slot = i % buffers;
      const phase = Math.floor(i / buffers) & 1;
      yield* waitParity(ready[slot]!, phase);
      asyncUse(UNITS.mma, { reads: [smem[slot]!], writes: [acc] }); // tcgen05_mma
      commit(UNITS.mma, empty[slot]!); // tcgen05_commit
    }
  });

  return [load, multiply];
});
