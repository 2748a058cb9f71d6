import { kernel, mma, pipeline, role, tma } from 'poundlock';

export default kernel('end-steps', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 3; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const multiply = role('mma', function* () {
    for (let tile = 0; tile < 3; tile++) {
      using full = yield* ab.consumeExplicit();
      mma.issue(full);
      mma.commit(full.mbar()); // the step comes before this, and no role observes it
    }
  });
  return [load, multiply];
}, { ownership: 'raii' });
