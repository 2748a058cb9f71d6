// Bug: two accumulators of 320 columns are allocated at once, and tensor memory has 512 columns.
// On hardware: tcgen05.alloc blocks until the columns are free. No other role will free so many, so
// the kernel hangs.
// Fix: two accumulators of 256 columns.
import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('capacity', { columns: 320, buffers: 2 }, ({ columns, buffers }) => {
  const tmem = pool('tmem', { capacity: 512 });

  const multiply = role('mma', function* () {
    const accumulators = yield* alloc(tmem, columns * buffers);
    relinquish(tmem);
    write(accumulators);
    free(accumulators);
  });

  return [multiply];
});
