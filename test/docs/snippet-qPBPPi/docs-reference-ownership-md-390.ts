import { adopt, kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('adopted', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      const found = yield* ab.acquireConsumer();
      using full = adopt(found);
      read(full.buffer());
    }
  });
  return [load, use];
});
