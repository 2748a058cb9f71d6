import { kernel, mma, pipeline, read, role } from 'poundlock';

export default kernel('linear', { tiles: 3 }, ({ tiles }) => {
  const output = pipeline('output', { stages: 2, consumers: 128 });

  const multiply = role('mma', { lanes: 32 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const accumulator = yield* output.acquireProducer(); // acquire_producer()
      mma.issue([], [accumulator.buffer()]);
      mma.commit(accumulator.mbar());
      accumulator.release(); // stage^.release(): steps
    }
    yield* output.drain();
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      const accumulator = yield* output.acquireConsumer(); // acquire_consumer()
      read(accumulator.buffer());
      accumulator.release(); // 128 arrivals, a step
    }
  });

  return [multiply, epilogue];
});
