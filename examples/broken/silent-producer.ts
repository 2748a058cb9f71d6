// Bug: the mma role leaves the accumulator without the commit that signals its completion.
// On hardware: the end of the block only steps a private counter. The epilogue waits
// forever; the mma role continues until the accumulator ring is full.
// Fix: mma.commit(out.mbar()) after the last MMA of the tile.
import { buffer, kernel, mma, pipeline, read, role } from 'poundlock';

export default kernel('silent-producer', { tiles: 2 }, ({ tiles }) => {
  const acc = pipeline('acc', { stages: 2, consumers: 128 });
  const accumulators = [buffer('acc0'), buffer('acc1')];

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using out = yield* acc.produce();
      mma.issue([], [accumulators[out.index]!]);
    }
    yield* mma.waitGroup(0);
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using out = yield* acc.consume();
      read(accumulators[out.index]!);
    }
  });

  return [multiply, epilogue];
});
