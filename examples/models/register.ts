// How endpoints of packages/ring/src/stage-sequencer.ts take a stage, as a program with one stage: each
// looks at the register of its side, whose value is the lap, then whether the stage is empty for that
// lap, which is a parity, and takes it by an exchange that needs the register to be what it was. Only
// one endpoint may hold the stage at a time; one that finds nothing to take gives up here.
//
// `laps` is how often the ring goes around until the register has a value again. In the ring that is
// after 2^32 items; where it is as few as can pass between a look and an exchange, a stage that is
// being filled is taken again.
import { alloc, barrier, cell, free, join, kernel, load, pool } from 'poundlock';
import { relinquish, role, store, wait } from 'poundlock';

export default kernel('register', { producers: 2, items: 2, laps: 8 }, (params) => {
  const { producers, items, laps } = params;
  const register = cell('register');
  // The parity of the lap for which the stage is empty.
  const empty = cell('empty');
  const held = cell('held');
  const wrong = barrier('a stage that one endpoint holds');
  // What happens while its one unit is taken happens in one step: an atomic instruction.
  const step = pool('step', { capacity: 1 });

  const all = [...Array(producers).keys()].map((number) =>
    role(`producer${number}`, function* () {
      for (let item = 0; item < items; item++) {
        const seen = yield* load(register);
        if ((yield* load(empty)) !== seen % 2) return;
        const exchange = yield* alloc(step, 1);
        const isSame = (yield* load(register)) === seen;
        if (isSame) store(register, (seen + 1) % laps);
        free(exchange);
        if (!isSame) return;
        if ((yield* load(held)) !== 0) yield* wait(wrong, 0);
        store(held, 1);
        store(held, 0);
        // It goes to a consumer, and is empty again.
        store(empty, 1 - (yield* load(empty)));
      }
    }),
  );
  const last = role('last', function* () {
    for (const each of all.keys()) yield* join(each);
    relinquish(step);
  });
  return [...all, last];
});
