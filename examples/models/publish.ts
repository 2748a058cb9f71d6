// How a counter that one thread alone moves is published in packages/ring/src/futex-word.ts, as
// a program: an exchange may wipe the mark by which a third thread says that the ring has failed.
// One thread publishes phases and then no more; one marks the failure; one waits for a phase that
// never comes, and must hear of the failure.
//
// `wiping` leaves out one rule: with `restored` the protocol is whole; `forgotten` does not put a
// wiped mark back; `unsaid` puts it back without a wake-up.
import { alloc, arrive, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

export default kernel('publish', { phases: 2, wiping: 'restored' }, ({ phases, wiping }) => {
  // The parts of one word.
  const phase = cell('phase');
  const sleeper = cell('sleeper');
  const poison = cell('poison');
  const asleep = cell('asleep');
  const wake = barrier('wake');
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

  /** Atomics.or, then Atomics.notify. */
  function* fail() {
    const held = yield* alloc(step, 1);
    store(poison, 1);
    free(held);
    yield* notify();
  }

  const publisher = role('publisher', function* () {
    for (let count = 1; count <= phases; count++) {
      const held = yield* alloc(step, 1);
      const wasSleeping = yield* load(sleeper);
      const wasPoisoned = yield* load(poison);
      store(phase, count);
      store(sleeper, 0);
      store(poison, 0);
      free(held);
      if (wasPoisoned === 1 && wiping === 'restored') yield* fail();
      else if (wasPoisoned === 1 && wiping === 'unsaid') store(poison, 1);
      else if (wasSleeping === 1) yield* notify();
    }
  });

  const failing = role('failing', fail);

  /** Puts the sleeper's mark into the word that was seen, unless it has changed. */
  function* markSeen(seen: number) {
    const held = yield* alloc(step, 1);
    const isSame = (yield* load(phase)) === seen && (yield* load(poison)) === 0;
    if (isSame) store(sleeper, 1);
    free(held);
    return isSame;
  }

  /** Atomics.wait: whether it fell asleep, which it does only if the word is as it was seen. */
  function* fallAsleep(seen: number) {
    const held = yield* alloc(step, 1);
    const isMarked = (yield* load(sleeper)) === 1 && (yield* load(poison)) === 0;
    const sleeps = isMarked && (yield* load(phase)) === seen;
    if (sleeps) store(asleep, 1);
    free(held);
    return sleeps;
  }

  const waiter = role('waiter', function* () {
    let naps = 0;
    for (;;) {
      const seen = yield* load(phase);
      if ((yield* load(poison)) === 1) return;
      if (!(yield* markSeen(seen))) continue;
      if (yield* fallAsleep(seen)) yield* wait(wake, naps++);
    }
  });

  const last = role('last', function* () {
    for (const each of [0, 1, 2]) yield* join(each);
    relinquish(step);
  });
  return [publisher, failing, waiter, last];
});
