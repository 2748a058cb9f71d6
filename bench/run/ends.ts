// Kernels of bench/run/ends.mjs: one role that is both ends of a ring, so that it never waits, in
// the styles in which roles are written.
import { compute, count, end, kernel, loop, pipeline, role } from 'poundlock';
import type { ConsumerStage, Op, ProducerStage } from 'poundlock';

const defaults = { tiles: 1000, form: 'for' };

export default kernel('ends', defaults, ({ tiles, form }) => {
  const ring = pipeline('ring', { stages: 8, bytes: 64, advance: 'acquire' });
  const items = count(tiles);
  const style = STYLES[form] ?? scoped;
  return [role('both', () => style(ring, items, tiles))];
});

type Ring = ReturnType<typeof pipeline>;
type Run = Generator<Op, void, number>;
type Count = ReturnType<typeof count>;
type Style = (ring: Ring, items: Count, tiles: number) => Run;

const STYLES: Readonly<Record<string, Style>> = {
  for: plainLoop,
  loop: stateless,
  'loop, new work with every tile': newWork,
  'loop, a tile is held for a round': heldForARound,
};

/** Work on the stages that are held now: numbers are written, and compared as they come back. */
function workOnHeld() {
  const held = {} as { slot: ProducerStage; tile: ConsumerStage };
  let [written, seen] = [0, 0];
  const fill = compute(1, (view) => {
    const words = view(held.slot.buffer(), Int32Array);
    words[0] = words[15] = written++;
  });
  const take = compute(1, (view) => {
    const words = view(held.tile.buffer(), Int32Array);
    if (words[0] !== seen || words[15] !== seen) throw new Error(`tile ${seen} is lost`);
    seen++;
  });
  return { held, fill, take };
}

function* plainLoop(ring: Ring, _: Count, tiles: number): Run {
  const { held, fill, take } = workOnHeld();
  for (let number = 0; number < tiles; number++) {
    held.slot = yield* ring.acquireProducer();
    yield* fill;
    held.slot.arrive();
    held.slot.release();
    held.tile = yield* ring.acquireConsumer();
    yield* take;
    held.tile.release();
  }
}

function* stateless(ring: Ring, items: Count): Run {
  const { held, fill, take } = workOnHeld();
  yield* loop(null, function* () {
    if (!(yield* items.more())) return end(null);
    held.slot = yield* ring.acquireProducer();
    yield* fill;
    held.slot.arrive();
    held.slot.release();
    held.tile = yield* ring.acquireConsumer();
    yield* take;
    held.tile.release();
    return null;
  });
}

function* newWork(ring: Ring, items: Count): Run {
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
      if (words[0] !== number || words[15] !== number) throw new Error(`tile ${number} is lost`);
    });
    held.release();
    return number + 1;
  });
}

function* heldForARound(ring: Ring, items: Count): Run {
  const { held, fill, take } = workOnHeld();
  const last = yield* loop<ConsumerStage | null>(null, function* (previous) {
    if (!(yield* items.more())) return end(previous);
    held.slot = yield* ring.acquireProducer();
    yield* fill;
    held.slot.arrive();
    held.slot.release();
    held.tile = yield* ring.acquireConsumer();
    yield* take;
    previous?.release();
    return held.tile;
  });
  last?.release();
}

function* scoped(ring: Ring, items: Count): Run {
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
