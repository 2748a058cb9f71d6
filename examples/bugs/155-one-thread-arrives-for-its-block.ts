// Thread 0 counts its block in before the other warps have stored their histograms; other blocks
// read them. The fix: a barrier of the block before the arrival.
// https://github.com/mlc-ai/TIRx-kernels/commit/72f3d67
import {
  arrive,
  barrier,
  buffer,
  kernel,
  namedBarrier,
  read,
  role,
  syncNamed,
  wait,
  write,
} from 'poundlock';

export default kernel('topk-blocks', { fixed: false }, ({ fixed }) => {
  const parts = [0, 1].map((block) => buffer(`histogram[${block}]`, { space: 'global' }));
  const arrived = barrier('arrived', { count: 2, space: 'global' });
  return [0, 1].flatMap((block) => {
    const all = namedBarrier(`block${block}`, { id: 0, threads: 64 });
    return [
      role(`block${block}.warp0`, { cta: block, lanes: 32 }, function* () {
        if (fixed) yield* syncNamed(all);
        arrive(arrived);
        yield* wait(arrived, 0);
        read(parts[1 - block]!);
      }),
      role(`block${block}.warp1`, { cta: block, lanes: 32 }, function* () {
        write(parts[block]!);
        if (fixed) yield* syncNamed(all);
      }),
    ];
  });
});
