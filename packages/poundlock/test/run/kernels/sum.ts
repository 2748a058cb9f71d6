// Real work over real tiles: numbers go through two rings, and their sum must be right. `failing`
// says what goes wrong, `at` in which tile.
import process from 'node:process';
import { compute, count, kernel, loop, end, pipeline, read, role, write } from '#src/public';

const defaults = { tiles: 50, stages: 3, numbers: 64, failing: 'nothing', at: 7 };

function fail(failing: string): void {
  if (failing === 'throw') throw new TypeError('a broken tile');
  if (failing === 'exit') process.exit(5);
  if (failing === 'hang') for (;;);
}

export default kernel('sum', defaults, ({ tiles, stages, numbers, failing, at }) => {
  const bytes = numbers * 8;
  const raw = pipeline('raw', { stages, bytes, advance: 'acquire' });
  const squared = pipeline('squared', { stages, bytes, advance: 'acquire' });
  const items = count(tiles);

  const load = role('load', function* () {
    yield* loop(0, function* (tile) {
      if (!(yield* items.more())) return end(0);
      const slot = yield* raw.acquireProducer();
      write(slot.buffer());
      yield* compute(100, (view) => {
        view(slot.buffer(), Float64Array).fill(tile);
      });
      slot.arrive();
      slot.release();
      return tile + 1;
    });
    yield* raw.drain();
  });

  const square = role('square', function* () {
    yield* loop(0, function* (tile) {
      if (!(yield* items.more())) return end(0);
      const from = yield* raw.acquireConsumer();
      const to = yield* squared.acquireProducer();
      read(from.buffer());
      write(to.buffer());
      yield* compute(400, (view) => {
        const input = view(from.buffer(), Float64Array);
        const output = view(to.buffer(), Float64Array);
        for (let i = 0; i < numbers; i++) {
          if (i === numbers / 2 && tile === at) fail(failing);
          output[i] = input[i]! * input[i]!;
        }
      });
      from.release();
      to.arrive();
      to.release();
      return tile + 1;
    });
    yield* squared.drain();
  });

  const add = role('add', function* () {
    let sum = 0;
    yield* loop(null, function* () {
      if (!(yield* items.more())) return end(null);
      const tile = yield* squared.acquireConsumer();
      read(tile.buffer());
      yield* compute(100, (view) => {
        for (const value of view(tile.buffer(), Float64Array)) sum += value;
      });
      tile.release();
      return null;
    });
    yield* compute(1, () => {
      const expected = ((tiles - 1) * tiles * (2 * tiles - 1) * numbers) / 6;
      if (sum !== expected) throw new Error(`the sum is ${sum}, not ${expected}`);
    });
  });
  return [load, square, add];
});
