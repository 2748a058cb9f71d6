import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('entered', {}, () => {
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
      using _full = yield* ab.consume(); // the underscore: held, not looked at
    }
  });
  return [load, use];
});
