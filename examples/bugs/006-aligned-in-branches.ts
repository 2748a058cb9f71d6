// The roles of a kernel come to one named barrier by aligned instructions in different branches.
// bar.sync is barrier.sync.aligned: it promises that threads which come to it together execute the
// same instruction. Compute Sanitizer counts 160 errors for a barrier of 416 threads that the MMA
// warp, 256 compute threads and 128 threads of a reduction reach from branches of their own. PTX
// asks it of the lanes of a warp, so here the MMA warp is the one that is divided: its elected lane
// comes from the branch that issues, the others from around it.
// The fix: barrier.sync, which is not aligned, at all sites.
// https://github.com/mlc-ai/TIRx-kernels/pull/21
import {
  UNITS,
  asyncUse,
  buffer,
  kernel,
  namedBarrier,
  role,
  syncNamed,
  waitGroup,
} from 'poundlock';

const OTHER_LANES = Array.from({ length: 31 }, (_, lane) => lane + 1);

export default kernel('attention-backward', { fixed: false }, ({ fixed }) => {
  const meeting = namedBarrier('meeting', { id: 5, threads: 32 + 256 + 128 });
  const aligned = !fixed;
  const accumulator = buffer('dQ');

  const multiply = role('mma', { lanes: 32, strands: 'lanes' }, function* () {
    asyncUse(UNITS.mma, { writes: [accumulator], group: true, by: 'one' });
    yield* waitGroup(UNITS.mma, 0, { by: 'one' });
    yield* syncNamed(meeting, { aligned, by: 'one' });
    yield* syncNamed(meeting, { aligned, by: { lanes: OTHER_LANES } });
  });

  const warps = (name: string, count: number) =>
    role(name, { warps: count }, function* () {
      yield* syncNamed(meeting, { aligned });
    });

  return [multiply, warps('compute', 8), warps('reduceDq', 4)];
});
