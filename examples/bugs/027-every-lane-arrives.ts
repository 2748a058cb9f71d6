// All 128 threads of the producer arrive on a barrier that was initialized for one.
// The pass that injects barriers around TMA copies elects one thread for the bytes and the copy,
// and left the arrival behind them without that condition. The first arrival is the one that was
// counted; while the bytes are missing, the others find no arrival pending.
// The fix: the arrival is under the same election.
// https://github.com/tile-ai/tilelang/pull/1396
import { arrive, asyncCopy, expectTx, kernel, mma, pipeline, role, UNITS } from 'poundlock';

const BYTES = 32_768;

export default kernel('tma-barrier-injection', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: BYTES });

  const producer = role('producer', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ab.produce();
      expectTx(slot.mbar(), BYTES);
      asyncCopy(UNITS.tma, { into: slot.buffers, bar: slot.mbar(), bytes: BYTES });
      arrive(slot.mbar(), { everyLane: !fixed });
    }
    yield* ab.drain();
  });

  const consumer = role('consumer', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using operands = yield* ab.consume();
      mma.issue(operands);
      yield* mma.waitGroup(0);
    }
  });

  return [producer, consumer];
});
