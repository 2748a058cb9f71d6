// The compiler drops the predicate of an arrival: all lanes of the producer arrive at a barrier that
// counts one. The fix: the predicate is kept.
// https://github.com/apache/tvm/pull/20250
import { arrive, barrier, buffer, kernel, read, role, wait, write } from 'poundlock';

export default kernel('handoff', { fixed: false }, ({ fixed }) => {
  const slot = buffer('slot', { bytes: 128 });
  const full = barrier('full');
  return [
    role('producer', { lanes: 32 }, function* () {
      write(slot);
      arrive(full, fixed ? {} : { everyLane: true });
    }),
    role('consumer', { lanes: 32 }, function* () {
      yield* wait(full, 0);
      read(slot);
    }),
  ];
});
