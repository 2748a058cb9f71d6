import { kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('two-copies-in-one-role', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });
  const mine = ab.copy('mine');

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    {
      using full = yield* ab.consume();
      read(full.buffer());
    }
    using again = yield* mine.consume(); // stage 0 once more
    read(again.buffer());
  });
  return [load, use];
});
