// The first block of a persistent kernel sets the work counter to 0; the other blocks do not wait.
// A block that draws earlier gets what the launch before has left, or the late zero makes blocks draw
// the same tiles again.
// The fix: set the counter before the launch.
// https://github.com/vllm-project/vllm-xpu-kernels/pull/524
import { buffer, cell, fetchAdd, kernel, role, store, write } from 'poundlock';

export default kernel(
  'grouped-gemm',
  { fixed: false, blocks: 2, tiles: 3 },
  ({ fixed, blocks, tiles }) => {
    const next = cell('next', 0, { space: 'global' }); // the first launch: the launch before left more
    const out = Array.from({ length: tiles }, (_, t) => buffer(`out[${t}]`, { space: 'global' }));
    return Array.from({ length: blocks }, (_, b) =>
      role(`block${b}`, { cta: b }, function* () {
        if (b === 0 && !fixed) store(next, 0, { scope: 'gpu' });
        for (;;) {
          const tile = yield* fetchAdd(next, 1, { scope: 'gpu' });
          if (tile >= tiles) return;
          write(out[tile]!);
        }
      }),
    );
  },
);
