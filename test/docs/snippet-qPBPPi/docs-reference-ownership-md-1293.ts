import { kernel, mma, pipeline, read, role } from 'poundlock';

export default kernel('end-commits', {}, () => {
  const acc = pipeline('acc', { stages: 1, bytes: 0 });
  const multiply = role('mma', function* () {
    const out = yield* acc.acquireProducer();
    const accumulator = out.buffer(); // the last use of the handle
    mma.commit(acc.producerMbar(out.index)); // so its end would commit here
    out.release();
    mma.issue([], [accumulator]);
  });
  const epilogue = role('epilogue', function* () {
    using done = yield* acc.consume();
    read(done.buffer());
  });
  return [multiply, epilogue];
});
