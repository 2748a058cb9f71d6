// Bug: the epilogue ends while its last TMA store still reads the shared memory of the CTA.
// On hardware: the next CTA on the SM gets the same shared memory and overwrites the tile that is
// being stored: a wrong result, now and then.
// Fix: waitGroup(UNITS.bulk, 0) before the end (cp.async.bulk.wait_group.read 0).
import { asyncUse, buffer, kernel, role, UNITS, waitGroup, write } from 'poundlock';

export default kernel('exit-with-open-flight', { waits: false }, ({ waits }) => {
  const out = buffer('out');
  return [
    role('epilogue', { lanes: 128 }, function* () {
      write(out);
      asyncUse(UNITS.bulk, { reads: [out], group: true });
      if (waits) yield* waitGroup(UNITS.bulk, 0);
    }),
  ];
});
