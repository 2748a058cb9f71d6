import { kernel, mma, pipeline, read, role } from 'poundlock';

export default kernel('address-lives-on', {}, () => {
  const acc = pipeline('acc', { stages: 1, bytes: 0, consumers: 128 });
  const multiply = role('mma', function* () {
    for (let k = 0; k < 2; k++) {
      const out = yield* acc.acquireProducer();
      mma.issue([], [out.buffer()]);
      mma.commit(out.mbar());
      out.release();
    }
  });

  const epilogue = role('epilogue', { lanes: 128 }, function* () {
    for (let k = 0; k < 2; k++) {
      using done = yield* acc.consume();
      const accumulator = done.buffer(); // the last use: 128 threads arrive here
      read(accumulator);
    }
  });
  return [multiply, epilogue];
}, { ownership: 'raii' });
