import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gluon-ring', { buffers: 2, n: 5 }, ({ buffers, n }) => {
  const smem = pipeline('smem', { stages: buffers, bytes: 16_384 });
  const iterations = count(n);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* iterations.more())) return end(null);
      using slot = yield* smem.produce();
      tma.load(slot);
      return null;
    });
  });

  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* iterations.more())) return end(null);
      using slot = yield* smem.consumeExplicit();
      mma.issue(slot);
      mma.commit(slot.mbar());
      return null;
    });
  });

  return [load, multiply];
});
