// How a stream ends in packages/ring/src/shared.ts, as a program: a producer publishes its items and
// closes; the last one to close marks the end, and a sleeping consumer must see it, after all items.
//
// `closing` leaves out one rule: with `last` the protocol is whole; `early` leaves the number of
// open producers before the last item is published; `end-first` looks at the mark of the end before
// the count of items; `unsaid` sets the mark without a wake-up.
import { alloc, arrive, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

const defaults = { producers: 2, items: 1, closing: 'last' };

export default kernel('end-of-stream', defaults, ({ producers, items, closing }) => {
  // The parts of one word, and the number of open producers.
  const count = cell('count');
  const end = cell('end');
  const sleeper = cell('sleeper');
  const open = cell('open', producers);
  const asleep = cell('asleep');
  const wake = barrier('wake');
  const lost = barrier('an item that the consumer was not given');
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  /** Atomics.notify. */
  function* notify() {
    const held = yield* alloc(step, 1);
    if ((yield* load(asleep)) === 1) {
      store(asleep, 0);
      arrive(wake);
    }
    free(held);
  }

  /** Publishes an item: adds to the count, takes the mark of the sleeper, and wakes it. */
  function* publish() {
    const held = yield* alloc(step, 1);
    store(count, (yield* load(count)) + 1);
    const isMarked = (yield* load(sleeper)) === 1;
    store(sleeper, 0);
    free(held);
    if (isMarked) yield* notify();
  }

  /** Leaves the number of open producers, and marks the end as the last one. */
  function* close() {
    const held = yield* alloc(step, 1);
    const left = (yield* load(open)) - 1;
    store(open, left);
    free(held);
    if (left > 0) return;
    const marking = yield* alloc(step, 1);
    store(end, 1);
    free(marking);
    if (closing !== 'unsaid') yield* notify();
  }

  const makers = [...Array(producers).keys()].map((number) =>
    role(`producer${number}`, function* () {
      for (let item = 0; item < items; item++) {
        if (closing === 'early' && item === items - 1) yield* close();
        yield* publish();
      }
      if (closing !== 'early') yield* close();
    }),
  );

  const consumer = role('consumer', function* () {
    let naps = 0;
    let taken = 0;
    for (;;) {
      // One read of the word, unless the mark is looked at on its own.
      const looking = yield* alloc(step, 1);
      const wasEnded = yield* load(end);
      if (closing === 'end-first') free(looking);
      const seen = closing === 'end-first' && wasEnded === 1 ? taken : yield* load(count);
      if (closing !== 'end-first') free(looking);
      if (seen > taken) {
        taken++;
        continue;
      }
      if (wasEnded === 1) break;
      const held = yield* alloc(step, 1);
      const isSame = (yield* load(count)) === seen && (yield* load(end)) === 0;
      if (isSame) {
        store(sleeper, 1);
        store(asleep, 1);
      }
      free(held);
      if (isSame) yield* wait(wake, naps++);
    }
    if (taken < producers * items) yield* wait(lost, 0);
  });

  const roles = [...makers, consumer];
  const last = role('last', function* () {
    for (const each of roles.keys()) yield* join(each);
    relinquish(step);
  });
  return [...roles, last];
});
