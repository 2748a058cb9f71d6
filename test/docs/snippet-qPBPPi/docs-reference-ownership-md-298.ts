import { kernel, pipeline, read, role, tma, type BorrowedStage } from 'poundlock';

export default kernel('child-outside', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });

  const load = role('load', function* () {
    for (let tile = 0; tile < 2; tile++) {
      using slot = yield* ab.produce();
      tma.load(slot);
    }
    yield* ab.drain();
  });

  const use = role('use', function* () {
    const seen: BorrowedStage[] = [];
    for (let tile = 0; tile < 2; tile++) {
      using full = yield* ab.consume();
      seen.push(full.stage());
    }
    for (const stage of seen) read(stage.buffer());
  });
  return [load, use];
});
