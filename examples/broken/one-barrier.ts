// Bug: five tiles of 256 KiB count on one barrier, which then has to miss 1,310,720 B.
// On hardware: the transaction count of an mbarrier ends at 2^20 − 1. Beyond it the count is
// undefined: the phase completes too early or never.
// Fix: a barrier for each tile, or fewer tiles in a phase.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  expectTx,
  kernel,
  read,
  role,
  UNITS,
  wait,
} from 'poundlock';

export default kernel('one-barrier', { tiles: 5, bytes: 262_144 }, ({ tiles, bytes }) => {
  const full = barrier('full');
  const parts = Array.from({ length: tiles }, (_, tile) => buffer(`part${tile}`));

  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) expectTx(full, bytes);
    for (const part of parts) asyncCopy(UNITS.tma, { into: [part], bar: full, bytes });
    arrive(full);
  });

  const use = role('use', function* () {
    yield* wait(full, 0);
    for (const part of parts) read(part);
  });

  return [load, use];
});
