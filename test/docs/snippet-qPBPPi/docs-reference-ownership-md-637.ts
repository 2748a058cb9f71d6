import { arrive, kernel, pipeline, read, role, tma } from 'poundlock';

export default kernel('signal-apart', {}, () => {
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
      const empty = full.mbar();
      read(full.buffer());
      full.releaseWithoutSignal();
      arrive(empty); // after the step: as good as before it
    }
  });
  return [load, use];
});
