// The first block sets the counters of senders back when it is done, while other blocks still take
// places from them. The fix: it sets them back at the beginning, before all blocks meet.
// https://github.com/mlc-ai/TIRx-kernels/pull/60
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('dispatch', { fixed: false, blocks: 2 }, ({ fixed, blocks }) => {
  const count = buffer('count', { bytes: 4, space: 'global' });
  const met = barrier('met', { count: blocks, space: 'global' });
  return Array.from({ length: blocks }, (_, block) =>
    role(`block${block}`, { cta: block, lanes: 1 }, function* () {
      if (block === 0 && fixed) write(count);
      arrive(met);
      yield* wait(met, 0);
      read(count);
      if (block === 0 && !fixed) write(count);
    }),
  );
});
