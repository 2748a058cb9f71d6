import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('mojo', { tiles: 5 }, ({ tiles }) => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384, consumers: 32 });
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using stage = yield* ab.produce(); // with pipeline.produce() as stage
      tma.load(stage); // expect_bytes, then the copy; the end of the block steps
    }
    yield* ab.drain();
  });
  const use = role('use', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using stage = yield* ab.consume(); // with pipeline.consume() as stage
      read(stage.buffer()); // the end of the block: every thread arrives, then steps
    }
  });
  return [load, use];
});
