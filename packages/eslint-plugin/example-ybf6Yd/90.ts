import { count, kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('ring', { stages: 2, tiles: 8 }, ({ stages, tiles }) => {
  const ab = pipeline('ab', { stages, bytes: 1024 });
  const items = count(tiles);
  return [
    role('load', function* () {
      while (yield* items.more()) {
        using slot = yield* ab.produce();
        tma.load(slot);
      }
      yield* ab.drain();
    }),
    role('mma', function* () {
      while (yield* items.more()) {
        using tile = yield* ab.consume();
        mma.issue(tile);
        yield* mma.waitGroup(0);
      }
    }),
  ];
});