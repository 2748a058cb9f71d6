// Bug: the scheduler ends while the answer to its last query can still be written.
// On hardware: the next CTA on the SM gets the same shared memory, and the answer overwrites it: a
// wrong result, now and then. (For copies hardware keeps the memory: --memory isa reports them.)
// Fix: a wait for the barrier that counts the bytes of the answer.
import { arrive, asyncCopy, barrier, buffer, kernel, role, UNITS, wait } from 'poundlock';

export default kernel('exit-with-open-flight', { waits: false }, ({ waits }) => {
  const answered = barrier('answered');
  const answer = buffer('answer');
  return [
    role('scheduler', function* () {
      arrive(answered, { bytes: 16 });
      asyncCopy(UNITS.clc, { into: [answer], bar: answered, bytes: 16 });
      if (waits) yield* wait(answered, 0);
    }),
  ];
});
