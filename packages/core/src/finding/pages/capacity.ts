// `poundlock explain capacity`.
import type { Page } from './page.ts';

const rejected = `import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('too-wide', { columns: 640 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      write(accumulator);
      free(accumulator);
    }),
  ];
});`;

const fix = `import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('wide-enough', { columns: 512 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      write(accumulator);
      free(accumulator);
    }),
  ];
});`;

export const capacity: Page = {
  rule: 'capacity',
  title: 'an allocation can never succeed',
  what:
    'An allocation that is larger than the whole pool waits forever on hardware, and so does ' +
    'one after `relinquish`, which gives up the right to allocate so that the next CTA can. ' +
    'Waiting for columns that somebody else will free is fine; this wait has nobody to wait ' +
    'for.',
  rejected,
  fix,
  seeAlso: ['deadlock', 'tmem-double-free'],
};
