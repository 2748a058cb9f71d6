import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('arrives-early', { kTiles: 4 }, ({ kTiles }) => {
  const input = pipeline('input', { stages: 2, bytes: 32_768 });

  const load = role('load', function* () {
    for (let k = 0; k < kTiles; k++) {
      using stage = yield* input.produce();
      tma.load(stage);
    }
    yield* input.drain();
  });

  const multiply = role('mma', function* () {
    for (let k = 0; k < kTiles; k++) {
      using stage = yield* input.consume(); // should be consumeExplicit, and a commit
      mma.issue(stage);
    }
  });

  return [load, multiply];
});
