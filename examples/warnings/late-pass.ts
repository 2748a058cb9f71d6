// Warning: the writer signals each of three rows, and the reader waits for the first of them after the
// last one.
// On hardware: the wait tests one parity bit, which three phases have left at the value that lets it
// pass. With two rows it would block forever.
// Fix: wait for the phase of the last row.
import { arrive, barrier, kernel, role, wait } from 'poundlock';

const ROWS = 3;

export default kernel('late-pass', { waitsFor: 0 }, ({ waitsFor }) => {
  const row = barrier('row');
  const last = barrier('last');

  const writer = role('writer', function* () {
    for (let index = 0; index < ROWS; index++) arrive(row);
    arrive(last);
  });

  const reader = role('reader', function* () {
    yield* wait(last, 0);
    yield* wait(row, waitsFor);
  });

  return [writer, reader];
});
