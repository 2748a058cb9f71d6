import { isMainThread } from 'node:worker_threads';
import { compute, count, kernel, pipeline, role, tma } from 'poundlock';
import { run } from 'poundlock/run';

const ring = kernel('ring', { tiles: 8 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 1024 });
  const items = count(tiles);
  return [
    role('load', function* () {
      while (yield* items.more()) {
        using slot = yield* ab.produce();
        tma.load(slot, (view) => view(slot.buffer(), Float32Array).fill(1));
      }
      yield* ab.drain();
    }),
    role('add', function* () {
      while (yield* items.more()) {
        using tile = yield* ab.consume();
        yield* compute(100, (view) => view(tile.buffer(), Float32Array).reduce((a, b) => a + b));
      }
    }),
  ];
});
export default ring;

// Each thread imports this module again.
if (isMainThread) {
  const { items, findings } = await run(ring, { tiles: 100 });
  console.log(items, findings.length); // 100 0
}