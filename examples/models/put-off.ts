// How two threads that fill and empty a ring wake each other in packages/ring/src/deferred-wakeups.ts,
// as a program: a wake-up that a thread owes is put off until it sleeps itself, or leaves.
//
// `paying` leaves out one rule: with `before-sleep` the protocol is whole; `never` puts off for
// ever; `after-sleep` pays when it is too late; `unclosed` leaves without paying.
import { alloc, arrive, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

const defaults = { tiles: 3, stages: 2, paying: 'before-sleep' };

export default kernel('put-off', defaults, ({ tiles, stages, paying }) => {
  // A word for each side: how much it has given on, and whether the other side sleeps for more.
  const sides = ['filled', 'emptied'].map((name) => ({
    count: cell(name),
    mark: cell(`${name}.mark`),
    asleep: cell(`${name}.asleep`),
    wake: barrier(`${name}.wake`),
  }));
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  /** One thread: after `lead` tiles it waits for the other side before each tile that it gives on. */
  function* work(side: number, lead: number) {
    const own = sides[side];
    const peer = sides[1 - side];
    let owes = false;
    let naps = 0;

    /** Atomics.notify, where it is owed. */
    function* pay() {
      if (!owes || paying === 'never') return;
      owes = false;
      const held = yield* alloc(step, 1);
      if ((yield* load(own.asleep)) === 1) {
        store(own.asleep, 0);
        arrive(own.wake);
      }
      free(held);
    }

    /** Puts the mark into the word that was seen, and sleeps, unless it has changed. */
    function* sleep(seen: number) {
      const held = yield* alloc(step, 1);
      const isSame = (yield* load(peer.count)) === seen;
      if (isSame) {
        store(peer.mark, 1);
        store(peer.asleep, 1);
      }
      free(held);
      if (isSame) yield* wait(peer.wake, naps++);
    }

    for (let tile = 0; tile < tiles; tile++) {
      for (;;) {
        const seen = yield* load(peer.count);
        if (seen + lead > tile) break;
        if (paying !== 'after-sleep') yield* pay();
        yield* sleep(seen);
        if (paying === 'after-sleep') yield* pay();
      }
      const held = yield* alloc(step, 1);
      const wasMarked = (yield* load(own.mark)) === 1;
      store(own.count, tile + 1);
      store(own.mark, 0);
      free(held);
      owes ||= wasMarked;
    }
    if (paying !== 'unclosed') yield* pay();
  }

  const producer = role('producer', function* () {
    yield* work(0, stages);
  });
  const consumer = role('consumer', function* () {
    yield* work(1, 0);
  });
  const last = role('last', function* () {
    for (const each of [0, 1]) yield* join(each);
    relinquish(step);
  });
  return [producer, consumer, last];
});
