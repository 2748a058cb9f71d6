import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('fails-in-a-release', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    using _full = yield* ab.consume();
    using _log = {
      [Symbol.dispose]() {
        throw new Error('the log is closed');
      },
    };
  });
  return [load, use];
});
