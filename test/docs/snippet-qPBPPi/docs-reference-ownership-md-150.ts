import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('one-at-a-time', {}, () => {
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
      const full = yield* ab.acquireConsumer();
      read(full.buffer());
      full.release();
    }
  });
  return [load, use];
});
