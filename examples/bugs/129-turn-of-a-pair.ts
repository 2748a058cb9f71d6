// Turns of a deterministic reduction are computed from the number of CTAs; a pair of CTAs arrives once.
// With two CTAs for each MMA the turn of a group is N - 1 - group, where N counts CTAs, but only N / 2
// arrivals ever come. The first groups wait for a number that the semaphore never reaches.
// The fix: compute turns from the number of groups.
// https://github.com/PaddlePaddle/flash-attention/pull/140
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('flashmask-backward', { fixed: false, ctas: 4 }, ({ fixed, ctas }) => {
  const dQ = buffer('dQ', { space: 'global' });
  const lock = barrier('lock', { space: 'global', mode: 'counter' });
  const groups = ctas / 2;
  return Array.from({ length: groups }, (_, group) =>
    role(`pair${group}`, { cta: 2 * group }, function* () {
      const turn = (fixed ? groups : ctas) - 1 - group;
      yield* wait(lock, turn - 1, { scope: 'gpu' });
      read(dQ);
      write(dQ);
      arrive(lock, { scope: 'gpu' });
    }),
  );
});
