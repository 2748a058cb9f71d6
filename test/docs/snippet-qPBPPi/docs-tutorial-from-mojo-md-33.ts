import { kernel, mma, pipeline, read, role, tma } from 'poundlock';

export default kernel('structured', { tiles: 3, kTiles: 4 }, ({ tiles, kTiles }) => {
  const input = pipeline('input', { stages: 4, bytes: 32_768 });
  const output = pipeline('output', { stages: 2, consumers: 128 }); // init_mbars(1, 128)

  const load = role('load', { lanes: 32 }, function* () {
    for (let k = 0; k < tiles * kTiles; k++) {
      using stage = yield* input.produce(); // waits; the end of the block only steps
      tma.load(stage); // expect_bytes, and the copy
    }
    yield* input.drain();
  });

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using accumulator = yield* output.produce();
      for (let k = 0; k < kTiles; k++) {
        using stage = yield* input.consumeExplicit(); // the end of the block only steps
        mma.issue(stage, [accumulator.buffer()]);
        mma.commit(stage.mbar()); // the signal: the stage is empty when the MMA is done
      }
      mma.commit(accumulator.mbar());
    }
    yield* output.drain();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using accumulator = yield* output.consume(); // the end of the block: 128 arrivals, a step
      read(accumulator.buffer());
    }
  });

  return [load, multiply, epilogue];
});
