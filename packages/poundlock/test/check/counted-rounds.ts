// The two sides of a ring, each a round for every item of a count.
import type { Op } from '@poundlock/core/internal/op';
import { end, loop, tma, type Count, type pipeline } from 'poundlock';

type Ring = ReturnType<typeof pipeline>;
type Rounds = Generator<Op, void, number>;

/** Copies a tile into the ring for each item. */
export function* fill(ring: Ring, items: Count): Rounds {
  yield* loop(null, function* () {
    if (!(yield* items.more())) return end(null);
    const slot = yield* ring.acquireProducer();
    tma.load(slot);
    slot.release();
    return null;
  });
}

/** Takes a tile out of the ring for each item. */
export function* take(ring: Ring, items: Count): Rounds {
  yield* loop(null, function* () {
    if (!(yield* items.more())) return end(null);
    (yield* ring.acquireConsumer()).release();
    return null;
  });
}
