import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('not-entered', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 1; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const full = yield* ab.consume();
    read(full.buffer());
  });
  return [load, use];
});
