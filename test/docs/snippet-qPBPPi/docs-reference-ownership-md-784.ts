import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('reads-after-the-signal', {}, () => {
  const ab = pipeline('ab', { stages: 1, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using full = yield* ab.consumeExplicit();
      full.arrive();
      read(full.buffer());
    }
  });
  return [load, use];
});
