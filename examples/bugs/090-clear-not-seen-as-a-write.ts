// One thread clears a buffer by st.bulk while other warps may still read the buffer whose bytes it
// has.
// The barrier pass did not know that st.bulk writes (T.clear on Blackwell), and shared memory of Q,
// read for the last time, is that of the accumulator to be cleared. No barrier stands between, and
// the results differ from run to run.
// The fix: the destination of st.bulk is declared as written, and the barrier comes.
// https://github.com/tile-ai/tilelang/issues/2699
import { buffer, kernel, read, role, syncNamed, write } from 'poundlock';

const WARPS = 4;
const ALL = 0; // __syncthreads()

export default kernel('chunk-intra', { fixed: false }, ({ fixed }) => {
  const q = buffer('Q_shared', { at: 0, bytes: 4096 });
  const accumulator = buffer('A_shared', { at: 0, bytes: 4096 });

  const block = role('block', { warps: WARPS }, function* () {
    write(q);
    yield* syncNamed(ALL, 32 * WARPS);
    read(q); // the last time
    if (fixed) yield* syncNamed(ALL, 32 * WARPS);
    write(accumulator, { by: { warp: 0 } }); // st.bulk
    yield* syncNamed(ALL, 32 * WARPS);
    read(accumulator);
  });

  return [block];
});
