// How threads sleep and are woken in packages/ring/src/futex-word.ts, as a program: one thread
// completes phases of a word, others wait for each, and none may sleep through the last one.
//
// `sleeping` leaves out one rule of the protocol: with `marked` it is whole; `unmarked` sleeps
// without the mark that the signal looks for; `unjudged` sleeps without comparing the word again;
// `late` looks for sleepers before it changes the word, and not in the same step.
import { alloc, arrive, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

const defaults = { phases: 2, sleepers: 1, sleeping: 'marked' };

export default kernel('wake-up', defaults, ({ phases, sleepers, sleeping }) => {
  const numbers = [...Array(sleepers).keys()];
  const phase = cell('phase');
  const mark = cell('mark');
  const asleep = numbers.map((number) => cell(`asleep[${number}]`));
  const wakes = numbers.map((number) => barrier(`wake[${number}]`));
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  /** Atomics.notify: wakes the threads that sleep now. */
  function* notify() {
    const held = yield* alloc(step, 1);
    for (const number of numbers) {
      if ((yield* load(asleep[number])) === 0) continue;
      store(asleep[number], 0);
      arrive(wakes[number]);
    }
    free(held);
  }

  /** Puts the mark into the word that was seen, unless it has changed. */
  function* markSeen(seen: number) {
    const held = yield* alloc(step, 1);
    const isSame = (yield* load(phase)) === seen;
    if (isSame) store(mark, 1);
    free(held);
    return isSame;
  }

  /** Atomics.wait: whether it fell asleep, which it does only if the word is as it was seen. */
  function* fallAsleep(number: number, seen: number) {
    const held = yield* alloc(step, 1);
    const isMarked = (yield* load(mark)) === 1 || sleeping === 'unmarked';
    const sleeps = ((yield* load(phase)) === seen && isMarked) || sleeping === 'unjudged';
    if (sleeps) store(asleep[number], 1);
    free(held);
    return sleeps;
  }

  const signaller = role('signaller', function* () {
    for (let count = 0; count < phases; count++) {
      const before = sleeping === 'late' ? yield* load(mark) : 0;
      const held = yield* alloc(step, 1);
      const marked = sleeping === 'late' ? before : yield* load(mark);
      store(phase, count + 1);
      store(mark, 0);
      free(held);
      if (marked === 1) yield* notify();
    }
  });

  const waiters = numbers.map((number) =>
    role(`waiter${number}`, function* () {
      let naps = 0;
      for (let wanted = 0; wanted < phases; wanted++) {
        for (let seen = yield* load(phase); seen <= wanted; seen = yield* load(phase)) {
          if (sleeping !== 'unmarked' && !(yield* markSeen(seen))) continue;
          if (yield* fallAsleep(number, seen)) yield* wait(wakes[number], naps++);
        }
      }
    }),
  );

  const last = role('last', function* () {
    for (const each of [0, ...numbers.map((number) => number + 1)]) yield* join(each);
    relinquish(step);
  });
  return [signaller, ...waiters, last];
});
