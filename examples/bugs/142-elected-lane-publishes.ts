// One elected lane arrives before the other lanes of its warp have stored their part.
// The fix: a join of the warp before the arrival.
// https://github.com/mlc-ai/TIRx-kernels/pull/202
import { arrive, barrier, buffer, kernel, read, role, syncWarp, wait, write } from 'poundlock';

export default kernel('publish', { fixed: false, slots: 2 }, ({ fixed, slots }) => {
  const slot = buffer('slot', { bytes: 512 });
  const [full, empty] = [barrier('full'), barrier('empty', { count: 32 })];
  return [
    role('producer', { strands: 'lanes' }, function* () {
      for (let n = 0; n < slots; n++) {
        yield* wait(empty, n - 1);
        write(slot);
        if (fixed) yield* syncWarp();
        arrive(full, { by: 'one' });
      }
    }),
    role('consumer', { lanes: 32 }, function* () {
      for (let n = 0; n < slots; n++) {
        yield* wait(full, n);
        read(slot);
        arrive(empty, { everyLane: true });
      }
    }),
  ];
});
