// Warning: the CTA frees its tensor memory, but holds the permit to allocate until it ends.
// On hardware: the next CTA on the SM cannot allocate while this one runs, so the two do not overlap.
// Fix: relinquish right after the last allocation.
import { alloc, free, kernel, pool, relinquish, role, write } from 'poundlock';

export default kernel('tmem-not-relinquished', { relinquishes: false }, ({ relinquishes }) => {
  const tmem = pool('tmem', { capacity: 512 });

  const multiply = role('mma', function* () {
    const accumulator = yield* alloc(tmem, 256);
    if (relinquishes) relinquish(tmem);
    write(accumulator);
    free(accumulator);
  });

  return [multiply];
});
