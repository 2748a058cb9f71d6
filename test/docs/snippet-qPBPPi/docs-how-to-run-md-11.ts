import { compute, count, end, kernel, loop, pipeline, read, role, write } from 'poundlock';

export default kernel('squares', { tiles: 8, stages: 3 }, ({ tiles, stages }) => {
  const numbers = pipeline('numbers', { stages, bytes: 1024, advance: 'acquire' });
  const items = count(tiles);

  const make = role('make', function* () {
    yield* loop(0, function* (tile) {
      if (!(yield* items.more())) return end(0);
      const slot = yield* numbers.acquireProducer();
      write(slot.buffer());
      yield* compute(100, (view) => view(slot.buffer(), Float64Array).fill(tile));
      slot.arrive();
      slot.release();
      return tile + 1;
    });
    yield* numbers.drain();
  });

  const add = role('add', function* () {
    let sum = 0;
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const tile = yield* numbers.acquireConsumer();
      read(tile.buffer());
      yield* compute(100, (view) => {
        for (const value of view(tile.buffer(), Float64Array)) sum += value * value;
      });
      tile.release();
      return null;
    });
    yield* compute(1, () => console.log(`the sum of squares is ${sum}`));
  });
  return [make, add];
});
