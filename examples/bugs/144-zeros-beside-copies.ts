// Rows within the matrix come by cp.async, whose completion signals the barrier; rows outside are
// stored as zeros by the same thread, and nothing signals those. The fix: an arrival behind them.
// https://github.com/mlc-ai/TIRx-kernels/pull/202
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  signalWhenDone,
  UNITS,
  wait,
  write,
} from 'poundlock';

export default kernel('zero-fill', { fixed: false }, ({ fixed }) => {
  const rows = [0, 1].map((row) => buffer(`row[${row}]`, { bytes: 128 }));
  const full = barrier('full', { count: fixed ? 2 : 1 });
  return [
    role('loader', { lanes: 1 }, function* () {
      asyncCopy(UNITS.cpAsync, { into: [rows[0]!] });
      signalWhenDone(UNITS.cpAsync, full, { noInc: true });
      write(rows[1]!);
      if (fixed) arrive(full);
    }),
    role('consumer', { lanes: 1 }, function* () {
      yield* wait(full, 0);
      for (const row of rows) read(row);
    }),
  ];
});
