// `poundlock explain false-pass`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('skipped-phase', {}, () => {
  const ready = barrier('ready');

  const writer = role('writer', function* () {
    arrive(ready);
    arrive(ready);
  });

  const reader = role('reader', function* () {
    yield* wait(ready, 1); // a fresh barrier looks as if phase 1 were over
  });

  return [writer, reader];
});`;

const fix = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('phase-by-phase', {}, () => {
  const ready = barrier('ready');
  const seen = barrier('seen');

  const writer = role('writer', function* () {
    arrive(ready);
    yield* wait(seen, 0); // the reader keeps up
    arrive(ready);
  });

  const reader = role('reader', function* () {
    yield* wait(ready, 0);
    arrive(seen);
    yield* wait(ready, 1);
  });

  return [writer, reader];
});`;

export const falsePass: Page = {
  rule: 'false-pass',
  title: 'a wait passes although the phase it wants has not completed',
  what:
    'A barrier keeps one parity bit, so a wait can tell only the current phase from the one ' +
    'before it. Here the waiter is a whole phase ahead: the bit is the one it hopes for, left ' +
    'over from an older phase, and it goes on to read what nobody has written yet. A wait is ' +
    'exact only while the waiter is at most one phase away, which a full and an empty barrier ' +
    'give each other.',
  rejected,
  fix,
  seeAlso: ['false-block', 'late-pass', 'race'],
};
