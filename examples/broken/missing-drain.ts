// Bug: the load role of CTA 0 ends without waiting until CTA 1 has released its last tile.
// On hardware: CTA 0 may have exited when CTA 1 arrives in its shared memory: an
// illegal access, or an arrival in the memory of the next CTA.
// Fix: before its end, load waits for `empty` once more (a pipeline's drain()).
import { UNITS, arrive, asyncCopy, barrier, buffer, kernel, read, role, wait } from 'poundlock';

const BYTES = 32_768;

export default kernel('missing-drain', { tiles: 1 }, ({ tiles }) => {
  const full = barrier('full'); // the one of CTA 1 is used
  const empty = barrier('empty'); // the one of CTA 0 is used
  const slot = buffer('slot');

  const load = role('load', { cta: 0 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(empty, tile - 1);
      asyncCopy(UNITS.tma, { into: [slot], bar: full, bytes: BYTES, cta: 1 });
    }
  });

  const multiply = role('mma', { cta: 1 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      arrive(full, { bytes: BYTES });
      yield* wait(full, tile);
      read(slot);
      arrive(empty, { cta: 0 });
    }
  });

  return [load, multiply];
});
