import { arrive, asyncCopy, barrier, buffer, kernel, read, role, UNITS, waitParity } from 'poundlock';

export default kernel('phase', { n: 5 }, ({ n }) => {
  const ready = barrier('ready', { count: 1 });
  const empty = barrier('empty', { count: 1 });
  const smem = buffer('smem');

  const load = role('load', function* () {
    for (let i = 0; i < n; i++) {
      yield* waitParity(empty, i & 1); // should be (i & 1) ^ 1
      arrive(ready, { bytes: 16_384 });
      asyncCopy(UNITS.tma, { into: [smem], bar: ready, bytes: 16_384 });
    }
  });

  const use = role('use', function* () {
    for (let i = 0; i < n; i++) {
      yield* waitParity(ready, i & 1);
      read(smem);
      arrive(empty);
    }
  });

  return [load, use];
});
