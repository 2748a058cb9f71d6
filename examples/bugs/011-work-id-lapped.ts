// The consumer comes around for its next work id before the producer has published it, and finds
// the last one.
// A warp-specialized PTX kernel could hang because the consumer laps the producer. Modeled here: it
// takes an old id for new work, and waits for data that is never loaded.
// The fix: a pipeline for the work ids; here, one with a full and an empty side.
// https://github.com/PyFR/GiMMiK/pull/23
import { cell, kernel, load, pipeline, read, role, store, tma } from 'poundlock';

export default kernel('gimmik', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const data = pipeline('data', { stages: 1, bytes: 4096 });
  const ids = pipeline('ids', { stages: 1 });
  const workId = cell('workId'); // the first block is known from the start

  const publish = function* (id: number) {
    if (!fixed) return store(workId, id);
    using slot = yield* ids.produce();
    store(workId, id);
    slot.arrive();
  };

  const next = function* () {
    if (!fixed) return yield* load(workId);
    using _item = yield* ids.consume();
    return yield* load(workId);
  };

  const producer = role('producer', function* () {
    for (let id = 0; id < blocks; id++) {
      using slot = yield* data.produce(); // the block before was consumed
      yield* publish(id);
      tma.load(slot);
    }
    yield* data.drain();
    yield* publish(blocks); // no more work
    if (fixed) yield* ids.drain();
  });

  const consumer = role('consumer', function* () {
    while ((yield* next()) < blocks) {
      using block = yield* data.consume();
      read(block.buffer());
    }
  });

  return [producer, consumer];
});
