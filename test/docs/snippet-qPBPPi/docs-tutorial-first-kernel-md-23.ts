import { count, end, kernel, loop, mma, pipeline, role, tma } from 'poundlock';

export default kernel('gemm', { stages: 2, tiles: 8 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 32_768 });
  const k = count(tiles);

  const load = role('load', function* () {
    yield* loop(null, function* () {
      if (!(yield* k.more())) return end(null);
      using slot = yield* ab.produce();
      tma.load(slot);
      return null;
    });
  });

  const multiply = role('mma', function* () {
    yield* loop(null, function* () {
      if (!(yield* k.more())) return end(null);
      using tile = yield* ab.consume();
      mma.issue(tile);
      return null;
    });
  });

  return [load, multiply];
});
