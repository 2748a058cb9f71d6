import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('four-lanes-arrive', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 16_384, consumers: 4 });
  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', { lanes: 32 }, function* () {
    for (let tile = 0; tile < 2; tile++) {
      using full = yield* ab.consumeExplicit();
      read(full.buffer());
      full.arrive({ lanes: 4 }); // one for each CTA of the cluster
    }
  });
  return [load, use];
});
