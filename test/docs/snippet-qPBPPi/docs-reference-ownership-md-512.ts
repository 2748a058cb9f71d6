import { choose, kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('leaves-a-scope', {}, () => {
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
      using full = yield* ab.consume();
      if ((yield* choose(2)) === 0) continue;
      read(full.buffer());
    }
  });
  return [load, use];
});
