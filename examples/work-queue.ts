// A persistent kernel with a dynamic scheduler: workers claim items as they come, until the end.
//
// Shows: work of unknown size. The scheduler learns item by item whether there is more (as from
// a CLC response), publishes each in a ring, and at last one end mark for every worker. The first
// worker takes the next full stage: one shared counter, advanced by the claim itself, so that a
// worker never waits for an item that another one took.
// Unlike multicast, every item goes to one worker. Unlike tickets drawn before the wait, as in
// broken/ticket-alias, claiming by trying is safe with more workers than stages.
//
//   role       waits for           works on                    signals
//   scheduler  work.empty[stage]   the kind of the item: more  work.full[stage]
//                                  work, or the end
//   worker<w>  nothing: it tries   what it has claimed         work.empty[stage], and moves no
//              work.full[next]                                 counter of its own
import {
  cell,
  choose,
  end,
  kernel,
  load,
  loop,
  pipeline,
  read,
  role,
  store,
  write,
} from 'poundlock';

const ITEM = 0;
const END = 1;

export default kernel('work-queue', { workers: 2, stages: 2 }, ({ workers, stages }) => {
  const work = pipeline('work', { stages, bytes: 16, advance: 'acquire' });
  const kinds = Array.from({ length: stages }, (_, s) => cell(`kind[${s}]`));

  const scheduler = role('scheduler', function* () {
    yield* loop(0, function* (ended) {
      if (ended === workers) return end(null);
      const kind = ended > 0 ? END : yield* choose(2);
      using slot = yield* work.produce();
      write(slot.buffer());
      store(kinds[slot.index]!, kind);
      slot.arrive();
      return kind === END ? ended + 1 : 0;
    });
    yield* work.drain();
  });

  const worker = (w: number) =>
    role(`worker${w}`, function* () {
      yield* loop(null, function* () {
        const item = yield* work.tryClaim();
        if (item === null) return null; // not published yet: try again
        const kind = yield* load(kinds[item.index]!);
        read(item.buffer());
        item.release();
        return kind === ITEM ? null : end(null);
      });
    });

  return [scheduler, ...Array.from({ length: workers }, (_, w) => worker(w))];
});
