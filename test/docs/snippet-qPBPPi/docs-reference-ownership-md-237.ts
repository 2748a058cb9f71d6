import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('keeps-them-all', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    for (let tile = 0; tile < 3; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer();
    const third = yield* ab.acquireConsumer(); // both stages of the ring are held
    for (const full of [first, second, third]) {
      read(full.buffer());
      full.release();
    }
  });
  return [load, use];
});
