// A consumer that looks at its first tile again a lap later, when its stage holds another tile.
import { count, end, kernel, loop, pipeline, role } from 'poundlock';
import type { ConsumerStage } from 'poundlock';

export default kernel('late-use', { tiles: 8, stages: 2 }, ({ tiles, stages }) => {
  const ring = pipeline('ring', { stages, bytes: 64, advance: 'acquire' });
  const items = count(tiles);
  const make = role('make', function* () {
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const slot = yield* ring.acquireProducer();
      slot.arrive();
      slot.release();
      return null;
    });
  });
  const take = role('take', function* () {
    let first: ConsumerStage | undefined;
    for (let tile = 0; tile < tiles; tile++) {
      const held = yield* ring.acquireConsumer();
      first ??= held;
      if (tile === stages) first.buffer();
      held.release();
    }
  });
  return [make, take];
});
