// A warp collects the rows of an expert in shared memory, and reads them in the next loop, in other
// lanes. racecheck reported it. The fix: __syncwarp() between the loops.
// https://github.com/ggml-org/llama.cpp/pull/28475
import { buffer, kernel, read, role, syncWarp, write } from 'poundlock';

export default kernel('mmid', { fixed: false, experts: 2 }, ({ fixed, experts }) => {
  const rows = buffer('store', { bytes: 512 });
  return [
    role('warp', { strands: 'lanes' }, function* () {
      for (let expert = 0; expert < experts; expert++) {
        write(rows, { by: { lane: 3 } });
        if (fixed) yield* syncWarp();
        read(rows);
        if (fixed) yield* syncWarp();
      }
    }),
  ];
});
