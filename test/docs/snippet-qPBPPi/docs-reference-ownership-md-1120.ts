import { arrive, kernel, pipeline, role, tma } from 'poundlock';

export default kernel('drains', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 16_384 });
  const load = role('load', { cta: 0 }, function* () {
    {
      using slot = yield* ab.produce();
      tma.expect(slot);
      tma.copy(slot, 0, { ctas: [0, 1] }); // multicast
    }
    yield* ab.drain();
  });
  const peer = role('peer', { cta: 1 }, function* () {
    const stage = yield* ab.waitProducer();
    arrive(ab.consumerMbar(stage), { cta: 0 });
    ab.consumerStep();
  });
  const expect = role('expect', { cta: 1 }, function* () {
    arrive(ab.producerMbar(0), { bytes: 16_384 });
  });
  return [load, peer, expect];
});
