// Bug: 100 threads have a row, and the named barrier between them and the warp that stores the rows
// counts 132 threads.
// On hardware: barriers count whole warps, so that the thread count of bar.sync must be a multiple
// of 32. Any other one is undefined: a hang, or a barrier that opens early.
// Fix: the barrier counts all threads of the warps that come: 128 and 32.
import { buffer, kernel, read, role, syncNamed, write } from 'poundlock';

export default kernel('odd-barrier-count', { threads: 132 }, ({ threads }) => {
  const rows = buffer('rows');

  const add = role('add', { warps: 4 }, function* () {
    write(rows);
    yield* syncNamed(1, threads, { aligned: true });
  });

  const store = role('store', { warps: 1 }, function* () {
    yield* syncNamed(1, threads, { aligned: true });
    read(rows);
  });

  return [add, store];
});
