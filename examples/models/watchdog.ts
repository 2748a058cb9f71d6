// How the death of a thread ends the waits of others in packages/ring/src/watchdog/, as a program:
// the thread asks the watchdog for a connection, connects, opens its endpoint, works, and dies after
// any of these steps; the watchdog sees the connection end, and poisons what the thread left open.
//
// `watching` leaves out one rule: with `whole` the protocol is whole; `unwoken` poisons without
// waking the sleepers; `opened-first` opens the endpoint before it is watched; `unready` opens
// it without waiting until the watchdog listens; `woken-first` wakes before the mark is set.
import { alloc, arrive, barrier, cell, choose, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

/** What the thread does in turn; it dies before one of them, or after the last. */
const STEPS = 4;

export default kernel('watchdog', { watching: 'whole' }, ({ watching }) => {
  const requested = barrier('requested');
  const listens = barrier('listens');
  const isListening = cell('isListening');
  const isConnected = cell('isConnected');
  const isOpen = cell('isOpen');
  // The parts of the word that the waiter sleeps on.
  const item = cell('item');
  const end = cell('end');
  const poison = cell('poison');
  const asleep = cell('asleep');
  const wake = barrier('wake');
  const died = barrier('died');
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  /** Atomics.or. */
  function* set(word: typeof item) {
    const held = yield* alloc(step, 1);
    store(word, 1);
    free(held);
  }

  /** Atomics.notify. */
  function* notify() {
    const held = yield* alloc(step, 1);
    if ((yield* load(asleep)) === 1) {
      store(asleep, 0);
      arrive(wake);
    }
    free(held);
  }

  function* mark(word: typeof item) {
    yield* set(word);
    yield* notify();
  }

  function* connect() {
    if (watching !== 'unready') yield* wait(listens, 0);
    // A connection that comes too early is refused.
    if ((yield* load(isListening)) === 1) store(isConnected, 1);
  }
  function* openEndpoint() {
    store(isOpen, 1);
  }

  const victim = role('victim', function* () {
    const lives = yield* choose(STEPS + 1);
    arrive(requested);
    const steps = watching === 'opened-first' ? [openEndpoint, connect] : [connect, openEndpoint];
    if (lives > 0) yield* steps[0]!();
    if (lives > 1) yield* steps[1]!();
    if (lives > 2) yield* mark(item);
    if (lives > 3) {
      store(isOpen, 0);
      yield* mark(end);
    }
    arrive(died);
  });

  const watchdog = role('watchdog', function* () {
    yield* wait(requested, 0);
    store(isListening, 1);
    arrive(listens);
    yield* wait(died, 0);
    // The end of a connection is all that it learns of the death.
    if ((yield* load(isConnected)) === 0 || (yield* load(isOpen)) === 0) return;
    if (watching === 'woken-first') yield* notify();
    yield* set(poison);
    if (watching !== 'unwoken' && watching !== 'woken-first') yield* notify();
  });

  /** Takes the item and then waits for the end, once the endpoint of the victim was opened. */
  const waiter = role('waiter', function* () {
    if ((yield* load(isOpen)) === 0) return;
    let naps = 0;
    for (;;) {
      const held = yield* alloc(step, 1);
      const isOver = (yield* load(end)) === 1 || (yield* load(poison)) === 1;
      if (!isOver) store(asleep, 1);
      free(held);
      if (isOver) return;
      yield* wait(wake, naps++);
    }
  });

  const last = role('last', function* () {
    for (const each of [0, 1, 2]) yield* join(each);
    relinquish(step);
  });
  return [victim, watchdog, waiter, last];
});
