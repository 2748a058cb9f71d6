// `poundlock explain tmem-not-relinquished`.
import type { Page } from './page.ts';

const rejected = `import { alloc, free, kernel, pool, role, write } from 'poundlock';

export default kernel('keeps-its-permit', { columns: 512 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });
  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      write(accumulator);
      free(accumulator); // the memory is free, and still nobody else may allocate
    }),
  ];
});`;

const fix = `import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('gives-up-its-permit', { columns: 512 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });
  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem); // as soon as nothing more will be allocated
      write(accumulator);
      free(accumulator);
    }),
  ];
});`;

export const tmemNotRelinquished: Page = {
  rule: 'tmem-not-relinquished',
  title: 'a CTA keeps the right to allocate tensor memory until it ends',
  what:
    'The next CTA on the same SM can allocate only after this one has given up the right with ' +
    '`relinquish`, so it stalls for as long as this one runs. That costs time, and no result ' +
    'is wrong: the finding is a warning.',
  rejected,
  fix,
  seeAlso: ['capacity', 'tmem-double-free'],
};
