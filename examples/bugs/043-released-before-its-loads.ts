// Correction gives tensor memory back while its tcgen05.ld may still read it, in three places; the
// softmax warps, which do the same with the scores, wait first.
// Attention with head size 256 on Blackwell. A tcgen05.ld is asynchronous: that its registers can
// be used says nothing of its read against the next writer, which is the MMA for the output, and a
// tcgen05.st of softmax for the row statistics. Modeled here with one block of the output per tile
// of keys, so that rescaling and the last step are one loop.
// The fix: tcgen05.wait::ld before each of the releases.
// https://github.com/vllm-project/flash-attention/pull/182
import { asyncUse, buffer, commit, kernel, pipeline, role, UNITS, waitGroup } from 'poundlock';

export default kernel('fmha-hd256', { fixed: false, tiles: 2 }, ({ fixed, tiles }) => {
  const scores = buffer('scores', { space: 'tmem' });
  const statistics = buffer('statistics', { space: 'tmem' });
  const output = buffer('output', { space: 'tmem' });
  const [s, stats, o] = [
    pipeline('s', { stages: 1 }),
    pipeline('stats', { stages: 1 }),
    pipeline('o', { stages: 1 }),
  ];

  const mma = role('mma', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (const [ring, accumulator] of [[s, scores] as const, [o, output] as const]) {
        using slot = yield* ring.produce();
        asyncUse(UNITS.tcgen05, { writes: [accumulator] });
        commit(UNITS.tcgen05, slot.mbar());
      }
    }
    for (const ring of [s, o]) yield* ring.drain();
  });

  const softmax = role('softmax', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      {
        using _found = yield* s.consume();
        asyncUse(UNITS.tcgen05Ld, { reads: [scores] });
        yield* waitGroup(UNITS.tcgen05Ld, 0);
      }
      using row = yield* stats.produce();
      asyncUse(UNITS.tcgen05St, { writes: [statistics] });
      yield* waitGroup(UNITS.tcgen05St, 0);
      row.arrive();
    }
    yield* stats.drain();
  });

  const correction = role('correction', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      for (const [ring, loaded] of [[stats, statistics] as const, [o, output] as const]) {
        using _found = yield* ring.consume();
        asyncUse(UNITS.tcgen05Ld, { reads: [loaded] });
        if (fixed) yield* waitGroup(UNITS.tcgen05Ld, 0);
      }
    }
    yield* waitGroup(UNITS.tcgen05Ld, 0);
  });

  return [mma, softmax, correction];
});
