import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('handed-over', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const c = pipeline('c', { stages: 1 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const first = role('first', function* () {
    for (let tile = 0; tile < 2; tile++) {
      const full = yield* ab.acquireConsumer();
      read(full.buffer());
      yield* c.producerSignalAndStep(); // second may read it now
      full.releaseWithoutSignal();
    }
  });
  const second = role('second', function* () {
    for (let tile = 0; tile < 2; tile++) {
      yield* c.consumerSignalAndStep();
      using full = yield* ab.consume(); // signals the stage empty for both
      read(full.buffer());
    }
  });
  return [load, first, second];
});
