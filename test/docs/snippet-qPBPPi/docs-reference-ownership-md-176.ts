import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('two-at-a-time', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer(); // stage 0 again
    read(first.buffer());
    read(second.buffer());
    first.release();
    second.release();
  });
  return [load, use];
});
