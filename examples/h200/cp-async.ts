// cp-async: a ring that warps fill by copies of their own threads (cp.async), as measured.
//
// Shows: a copy of threads, whose bytes do not pass the copy engine, for every row of cp_async.csv:
//   poundlock simulate examples/h200/cp-async.ts --model h100 --cases bench/h100/cp_async.csv
// Unlike in two-role, each thread of the producer copies 16 bytes at a time, and arrives when its own
// bytes have landed (cp.async.mbarrier.arrive.noinc).
//
//   role       waits for       works on                               signals
//   producer   ab.empty[stage] copies a tile, 16 bytes each thread    ab.full[stage], by each thread
//   consumer   ab.full[stage]  spins, reads the tile                  ab.empty[stage]
import { asyncCopy, buffer, compute, count, end, kernel, launch, loop } from 'poundlock';
import { pipeline, read, role, signalWhenDone, UNITS } from 'poundlock';
import { sharedFor } from './shared-for.ts';

const defaults = {
  source: 'l2',
  ctas: 1,
  lanes: 128,
  stages: 2,
  tileBytes: 8192,
  tiles: 128,
  consumerCycles: 300,
  perSm: 1,
};

export default kernel('cp-async', defaults, (params) => {
  const { source, ctas, lanes, stages, tileBytes, consumerCycles, perSm } = params;
  launch({ ctas, source });
  const ab = pipeline('ab', { stages, bytes: tileBytes, advance: 'acquire' });
  if (perSm > 1) buffer('unused', { bytes: sharedFor(perSm) - stages * tileBytes });
  const tiles = count(params.tiles);

  const producer = role('producer', { lanes }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      const slot = yield* ab.acquireProducer();
      asyncCopy(UNITS.cpAsync, { into: slot.buffers, bytes: tileBytes });
      signalWhenDone(UNITS.cpAsync, slot.mbar(), { noInc: true });
      slot.release();
      return null;
    });
  });

  const consumer = role('consumer', { measured: true }, function* () {
    yield* loop(null, function* () {
      if (!(yield* tiles.more())) return end(null);
      using tile = yield* ab.consume();
      yield* compute(consumerCycles);
      read(tile.buffer());
      return null;
    });
  });

  return [producer, consumer];
});
