import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('asks-once', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const ready = yield* ab.tryWaitProducer();
    for (let tile = 0; tile < 2; tile++) {
      const stage = yield* ab.waitProducerIfNeeded(ready);
      arrive(ab.consumerMbar(stage));
      ab.consumerStep();
    }
  });
  return [load, use];
});
