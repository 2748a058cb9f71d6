// Kernels of bench/run/ends.mjs: one role that is both ends of a ring, so that it never waits, in
// the styles in which roles are written.
import { compute, count, end, kernel, loop, pipeline, role } from 'poundlock';
import type { ConsumerStage, ProducerStage } from 'poundlock';

const defaults = { tiles: 1000, form: 'for' };

export default kernel('ends', defaults, ({ tiles, form }) => {
  const ring = pipeline('ring', { stages: 8, bytes: 64, advance: 'acquire' });
  const items = count(tiles);

  const both = role('both', function* () {
    let [written, seen] = [0, 0];
    let slot: ProducerStage;
    let tile: ConsumerStage;
    const fill = compute(1, (view) => {
      const words = view(slot.buffer(), Int32Array);
      words[0] = words[15] = written++;
    });
    const take = compute(1, (view) => {
      const words = view(tile.buffer(), Int32Array);
      if (words[0] !== seen || words[15] !== seen) throw new Error(`tile ${seen} is lost`);
      seen++;
    });
    if (form === 'for') {
      for (let number = 0; number < tiles; number++) {
        slot = yield* ring.acquireProducer();
        yield* fill;
        slot.arrive();
        slot.release();
        tile = yield* ring.acquireConsumer();
        yield* take;
        tile.release();
      }
    } else if (form === 'loop') {
      yield* loop(null, function* () {
        if (!(yield* items.more())) return end(null);
        slot = yield* ring.acquireProducer();
        yield* fill;
        slot.arrive();
        slot.release();
        tile = yield* ring.acquireConsumer();
        yield* take;
        tile.release();
        return null;
      });
    } else if (form === 'loop, new work with every tile') {
      yield* loop(0, function* (number) {
        if (!(yield* items.more())) return end(0);
        const stage = yield* ring.acquireProducer();
        yield* compute(1, (view) => {
          const words = view(stage.buffer(), Int32Array);
          words[0] = words[15] = number;
        });
        stage.arrive();
        stage.release();
        const held = yield* ring.acquireConsumer();
        yield* compute(1, (view) => {
          const words = view(held.buffer(), Int32Array);
          if (words[0] !== number || words[15] !== number)
            throw new Error(`tile ${number} is lost`);
        });
        held.release();
        return number + 1;
      });
    } else if (form === 'loop, a tile is held for a round') {
      const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
        if (!(yield* items.more())) return end(previous);
        slot = yield* ring.acquireProducer();
        yield* fill;
        slot.arrive();
        slot.release();
        tile = yield* ring.acquireConsumer();
        yield* take;
        previous?.release();
        return tile;
      });
      last?.release();
    } else {
      yield* loop(0, function* (number) {
        if (!(yield* items.more())) return end(0);
        {
          using stage = yield* ring.produce();
          yield* compute(1, (view) => void (view(stage.buffer(), Int32Array)[0] = number));
          stage.arrive();
        }
        using held = yield* ring.consume();
        yield* compute(1, (view) => {
          if (view(held.buffer(), Int32Array)[0] !== number) throw new Error('a tile is lost');
        });
        return number + 1;
      });
    }
  });
  return [both];
});
