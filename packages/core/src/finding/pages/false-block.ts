// `poundlock explain false-block`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('overtaken-reader', {}, () => {
  const ready = barrier('ready');

  const writer = role('writer', function* () {
    arrive(ready);
    arrive(ready); // nothing says that the reader has seen the first one
  });

  const reader = role('reader', function* () {
    yield* wait(ready, 0);
    yield* wait(ready, 1);
  });

  return [writer, reader];
});`;

const fix = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('awaited-reader', {}, () => {
  const ready = barrier('ready');
  const seen = barrier('seen');

  const writer = role('writer', function* () {
    arrive(ready);
    yield* wait(seen, 0); // the reader has seen the first one
    arrive(ready);
  });

  const reader = role('reader', function* () {
    yield* wait(ready, 0);
    arrive(seen);
    yield* wait(ready, 1);
  });

  return [writer, reader];
});`;

export const falseBlock: Page = {
  rule: 'false-block',
  title: 'a wait blocks although the phase it wants completed long ago',
  what:
    'A barrier keeps one parity bit. When two more phases complete before the waiter looks, ' +
    'the bit is back where it was, and the wait takes the finished phase for the current one. ' +
    'It stays blocked until yet another phase completes, which is forever if none does. ' +
    'Whoever completes phases must wait for those who watch them.',
  rejected,
  fix,
  seeAlso: ['false-pass', 'late-pass', 'deadlock'],
};
