import { kernel, pipeline, read, role, tma, type BorrowedStage } from 'poundlock';

export default kernel('child-inside', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const process = (stage: BorrowedStage) => read(stage.buffer()); // can not release it
  const use = role('use', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using full = yield* ab.consume();
      process(full.stage());
    }
  });
  return [load, use];
});
