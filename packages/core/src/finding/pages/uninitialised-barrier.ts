// `poundlock explain uninitialised-barrier`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, init, kernel, role, wait } from 'poundlock';

export default kernel('used-before-init', {}, () => {
  const ready = barrier('ready', { count: 0 }); // 0: the program initialises it

  const setup = role('setup', function* () {
    init(ready, 1);
    yield* wait(ready, 0);
  });

  const worker = role('worker', function* () {
    arrive(ready); // may come before the init
  });

  return [setup, worker];
});`;

const fix = `import { arrive, barrier, init, kernel, role, syncNamed, wait } from 'poundlock';

export default kernel('used-after-init', {}, () => {
  const ready = barrier('ready', { count: 0 });

  const setup = role('setup', function* () {
    init(ready, 1);
    yield* syncNamed(1, 2);
    yield* wait(ready, 0);
  });

  const worker = role('worker', function* () {
    yield* syncNamed(1, 2); // both roles are here: the init is done
    arrive(ready);
  });

  return [setup, worker];
});`;

export const uninitialisedBarrier: Page = {
  rule: 'uninitialised-barrier',
  title: 'a barrier is used before it is initialised, or initialised while it is live',
  what:
    'A barrier is a word in shared memory that holds anything until `init` has written it. ' +
    'One thread initialises it, and every other role has to be kept away until that is ' +
    'visible, by a named barrier, a CTA barrier or a cluster barrier. Initialising a live ' +
    'barrier again throws away the arrivals that it has counted.',
  rejected,
  fix,
  seeAlso: ['missing-drain', 'named-barrier-mismatch'],
};
