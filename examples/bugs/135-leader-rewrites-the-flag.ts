// All warps read a flag as the condition of a loop, and the leader writes it with no barrier between.
// Top-k: a search refines a threshold until the leader says done or no round is left. A slow warp can
// read the flag of the next round: it leaves the loop, and the others wait for it at a barrier. Seen as
// wrong indices and crashes.
// The fix (#18339): a barrier after the flag is read.
// https://github.com/NVIDIA/TensorRT-LLM/issues/18338
import {
  cell,
  kernel,
  load,
  namedBarrier,
  read,
  buffer,
  role,
  store,
  syncNamed,
  write,
} from 'poundlock';

const THREADS = 128;

export default kernel('gvr-topk', { fixed: false, rounds: 2 }, ({ fixed, rounds }) => {
  const done = cell('done');
  const flag = buffer('flag', { bytes: 4 }); // the bytes of `done`
  const cta = namedBarrier('cta', { id: 0, threads: THREADS });

  const warp = (w: number) =>
    role(`warp${w}`, { lanes: 32 }, function* () {
      for (;;) {
        read(flag);
        if ((yield* load(done)) === rounds) return;
        if (fixed) yield* syncNamed(cta);
        if (w === 0) {
          write(flag);
          store(done, (yield* load(done)) + 1);
        }
        yield* syncNamed(cta);
      }
    });

  return [0, 1, 2, 3].map((w) => warp(w));
});
