// `poundlock explain missing-drain`.
import type { Page } from './page.ts';

const rejected = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('early-exit', {}, () => {
  const full = barrier('full');
  const empty = barrier('empty');

  const producer = role('producer', { cta: 0 }, function* () {
    arrive(full, { cta: 1 }); // ends here, and its CTA with it
  });

  const consumer = role('consumer', { cta: 1 }, function* () {
    yield* wait(full, 0);
    arrive(empty, { cta: 0 });
  });

  return [producer, consumer];
});`;

const fix = `import { arrive, barrier, kernel, role, wait } from 'poundlock';

export default kernel('awaited-exit', {}, () => {
  const full = barrier('full');
  const empty = barrier('empty');

  const producer = role('producer', { cta: 0 }, function* () {
    arrive(full, { cta: 1 });
    yield* wait(empty, 0); // nothing can still be on its way to this CTA
  });

  const consumer = role('consumer', { cta: 1 }, function* () {
    yield* wait(full, 0);
    arrive(empty, { cta: 0 });
  });

  return [producer, consumer];
});`;

export const missingDrain: Page = {
  rule: 'missing-drain',
  title: 'an operation reaches a CTA or a barrier that is already gone',
  what:
    'Shared memory belongs to a CTA and is gone when the CTA exits; the barrier words in it ' +
    'go with it. A signal from another CTA of the cluster that is still under way then lands ' +
    'in memory that belongs to somebody else. A role whose barriers are signalled from ' +
    'outside waits for the last of these signals before it ends: that is what `drain()` does ' +
    'for a producer.',
  rejected,
  fix,
  seeAlso: ['divergent-exit', 'uninitialised-barrier'],
};
