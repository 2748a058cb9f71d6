import { kernel, pipeline, read, role, tma, type ConsumerStage } from 'poundlock';

let smuggled: ConsumerStage | null = null;

export default kernel('smuggled', {}, () => {
  const ab = pipeline('ab', { stages: 2, bytes: 16_384 });
  const c = pipeline('c', { stages: 1 });
  const load = role('load', function* () {
    using slot = yield* ab.produce();
    tma.load(slot);
  });
  const first = role('first', function* () {
    smuggled = yield* ab.acquireConsumer();
    yield* c.producerSignalAndStep();
    smuggled.release();
  });
  const second = role('second', function* () {
    yield* c.consumerSignalAndStep();
    read(smuggled!.buffer()); // is first's, and first may release it now
  });
  return [load, first, second];
});
