// `poundlock explain tmem-double-free`.
import type { Page } from './page.ts';

const rejected = `import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('freed-twice', { columns: 128, tiles: 2 }, ({ columns, tiles }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      for (let tile = 0; tile < tiles; tile++) {
        if (tile === 0) write(accumulator);
        free(accumulator);
      }
    }),
  ];
});`;

const fix = `import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('freed-once', { columns: 128, tiles: 2 }, ({ columns, tiles }) => {
  const tmem = pool('tmem', { capacity: 512 });

  return [
    role('mma', function* () {
      const accumulator = yield* alloc(tmem, columns);
      relinquish(tmem);
      for (let tile = 0; tile < tiles; tile++) write(accumulator);
      free(accumulator);
    }),
  ];
});`;

export const tmemDoubleFree: Page = {
  rule: 'tmem-double-free',
  title: 'tensor memory is freed twice',
  what:
    'After the first free the columns may already belong to another allocation, and the ' +
    'second free takes them away from it. One role owns the free: usually the one that ' +
    'allocated, after the others have told it that they are done.',
  rejected,
  fix,
  seeAlso: ['tmem-use-after-free', 'capacity'],
};
