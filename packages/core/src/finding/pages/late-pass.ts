// `poundlock explain late-pass`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('late-reader', {}, () => {
  const ready = barrier('ready');
  const done = barrier('done');

  const writer = role('writer', function* () {
    for (let tile = 0; tile < 3; tile++) arrive(ready);
    arrive(done);
  });

  const reader = role('reader', function* () {
    yield* wait(done, 0);
    yield* wait(ready, 0); // phases 1 and 2 are over too
  });

  return [writer, reader];
});`;

const fix = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('latest-phase', {}, () => {
  const ready = barrier('ready');
  const done = barrier('done');

  const writer = role('writer', function* () {
    for (let tile = 0; tile < 3; tile++) arrive(ready);
    arrive(done);
  });

  const reader = role('reader', function* () {
    yield* wait(done, 0);
    yield* wait(ready, 2); // names the phase that it really waits for
  });

  return [writer, reader];
});`;

export const latePass: Page = {
  rule: 'late-pass',
  title: 'a wait passes, but for a phase later than the one it names',
  what:
    'Three or more phases completed before the waiter looked, and the parity bit happens to ' +
    'let it through. That is harmless if the wait only orders things, so it is a warning. It ' +
    'is a bug if the phase stands for data, because that data has been overwritten since.',
  rejected,
  fix,
  seeAlso: ['false-block', 'false-pass'],
};
