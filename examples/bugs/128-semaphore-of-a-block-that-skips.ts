// Blocks add to dQ in the order of their numbers, and the first block never adds.
// A deterministic backward pass with a left window: block 0 is launched but has no part in the tile.
// The semaphore starts at 0, and block 1 waits for 1, which only block 0 would set.
// The fix: number the blocks that take part.
// https://github.com/pytorch/FBGEMM/pull/4982
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel(
  'fmha-backward',
  { fixed: false, blocks: 4, skipped: 1 },
  ({ fixed, blocks, skipped }) => {
    const dQ = buffer('dQ', { space: 'global' });
    const turn = barrier('turn', { space: 'global', mode: 'counter' });
    return Array.from({ length: blocks }, (_, k) =>
      role(`block${k}`, { cta: k }, function* () {
        if (k < skipped) return;
        const mine = fixed ? k - skipped : k;
        yield* wait(turn, mine - 1, { scope: 'gpu' });
        read(dQ);
        write(dQ);
        arrive(turn, { scope: 'gpu' });
      }),
    );
  },
);
