import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('newest-first', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384, advance: 'acquire' });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const first = yield* ab.acquireConsumer();
    const second = yield* ab.acquireConsumer();
    read(second.buffer());
    second.release(); // the newest first
    read(first.buffer());
    first.release();
  });
  return [load, use];
});
