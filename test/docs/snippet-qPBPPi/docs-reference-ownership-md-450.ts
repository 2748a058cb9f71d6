import { kernel, pipeline, read, role, tma, type ConsumerStage } from 'poundlock';

export default kernel('detached', {}, () => {
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
      let kept: ConsumerStage;
      {
        using full = yield* ab.consume();
        kept = full.detach();
      }
      read(kept.buffer());
      kept.release();
    }
  });
  return [load, use];
});
