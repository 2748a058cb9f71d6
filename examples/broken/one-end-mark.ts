// Bug: the scheduler publishes one end mark, and there are two workers.
// On hardware: one worker takes the mark and ends; the other polls an empty queue forever. No role
// is blocked, but the kernel never ends.
// Fix: one end mark for each worker.
import { cell, choose, end, kernel, load, loop, pipeline, role, store } from 'poundlock';

const END = 1;

export default kernel('one-end-mark', { workers: 2, marks: 1 }, ({ workers, marks }) => {
  const work = pipeline('work', { stages: 1, bytes: 16, advance: 'acquire' });
  const kind = cell('kind');

  const scheduler = role('scheduler', function* () {
    yield* loop(0, function* (ended) {
      if (ended === marks) return end(null);
      const next = ended > 0 ? END : yield* choose(2);
      using slot = yield* work.produce();
      store(kind, next);
      slot.arrive();
      return next === END ? ended + 1 : 0;
    });
  });

  const worker = (w: number) =>
    role(`worker${w}`, function* () {
      yield* loop(null, function* () {
        const item = yield* work.tryClaim();
        if (item === null) return null;
        const found = yield* load(kind);
        item.release();
        return found === END ? end(null) : null;
      });
    });

  return [scheduler, ...Array.from({ length: workers }, (_, w) => worker(w))];
});
