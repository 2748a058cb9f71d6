// How consumers of packages/ring/src/shared.ts close and take a closed place again, as a program:
// a thread that changes the number of open consumers sets the mark of the end by it, or removes it, and
// looks whether the number has changed meanwhile. When all are done, mark and number must agree.
//
// `settling` leaves out one rule: with `again` the protocol is whole; `once` does not look again;
// `by-number` looks at the number and not at its changes.
import { alloc, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

export default kernel('reopen', { closers: 1, reopeners: 1, settling: 'again' }, (params) => {
  const { closers, reopeners, settling } = params;
  const threads = closers + reopeners;
  const open = cell('open', threads);
  const changes = cell('changes');
  const end = cell('end');
  const wrong = barrier('a mark that agrees with the number');
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  /** Changes the number; a second word counts the changes. */
  function* change(by: number) {
    const held = yield* alloc(step, 1);
    store(open, (yield* load(open)) + by);
    store(changes, (yield* load(changes)) + 1);
    free(held);
    for (;;) {
      const seen = yield* load(settling === 'by-number' ? open : changes);
      store(end, (yield* load(open)) === 0 ? 1 : 0);
      if (settling === 'once') return;
      if ((yield* load(settling === 'by-number' ? open : changes)) === seen) return;
    }
  }

  const all = [...Array(threads).keys()].map((number) =>
    role(`consumer${number}`, function* () {
      yield* change(-1);
      if (number >= closers) yield* change(1);
    }),
  );
  const last = role('last', function* () {
    for (const each of all.keys()) yield* join(each);
    const isEnded = (yield* load(end)) === 1;
    const isClosed = (yield* load(open)) === 0;
    if (isEnded !== isClosed) yield* wait(wrong, 0);
    relinquish(step);
  });
  return [...all, last];
});
