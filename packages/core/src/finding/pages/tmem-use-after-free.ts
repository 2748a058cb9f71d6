// `poundlock explain tmem-use-after-free`.
import type { Page } from './page.ts';

const rejected = `import {
  alloc, free, kernel, pool, read, relinquish, role, write,
} from 'poundlock';

export default kernel('freed-too-early', { columns: 128 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      write(accumulator);
      free(accumulator);
      read(accumulator);
    }),
  ];
});`;

const fix = `import {
  alloc, free, kernel, pool, read, relinquish, role, write,
} from 'poundlock';

export default kernel('freed-after-use', { columns: 128 }, ({ columns }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      write(accumulator);
      read(accumulator);
      free(accumulator);
    }),
  ];
});`;

export const tmemUseAfterFree: Page = {
  rule: 'tmem-use-after-free',
  title: 'tensor memory is touched after it was freed',
  what:
    'Freed columns can be given to somebody else at once, also to another kernel on the same ' +
    'SM, so a later access reads or destroys foreign data. Asynchronous work counts until it ' +
    'lands. Free after the last access of every role has completed.',
  rejected,
  fix,
  seeAlso: ['tmem-double-free', 'race'],
};
