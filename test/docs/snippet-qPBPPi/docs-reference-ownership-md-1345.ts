import { alloc, barrier, arrive, free, kernel, mma, pipeline, pool, read, relinquish, role, wait } from 'poundlock';

export default kernel('end-waits', {}, () => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const acc = pipeline('acc', { stages: 1 });
  const lastRead = barrier('lastRead');
  const multiply = role('mma', function* () {
    const columns = yield* alloc(tmem, 512); // the context hands its address out: its last use
    relinquish(tmem);
    yield* wait(lastRead, 0); // so its end would wait here
    using out = yield* acc.produce();
    mma.issue([], [columns]);
    mma.commit(out.mbar());
    free(columns);
  });
  const epilogue = role('epilogue', function* () {
    using _done = yield* acc.consume();
    read(tmem.buffers[0]!);
    arrive(lastRead);
  });
  return [multiply, epilogue];
});
