// Bug: the load warp rewrites its one tensor map while the copy of the group before still uses it.
// On hardware: a copy reads its map at any time until it completes. It can mix the addresses of one
// group with the sizes of the next: a fault, or a tile of another matrix.
// Fix: two maps in turn, or a wait for the last copy before the change.
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  write,
} from 'poundlock';

const BYTES = 16_384;

export default kernel('tensormap-in-use', { waits: false }, ({ waits }) => {
  const map = buffer('mapA', { space: 'tensormap' });
  const stages = [0, 1].map((stage) => ({
    sA: buffer(`sA[${stage}]`),
    full: barrier(`full[${stage}]`),
  }));

  const load = role('load', function* () {
    for (const { sA, full } of stages) {
      write(map); // tensormap.replace
      fence('proxy.tensormap', { direction: 'release' });
      fence('proxy.tensormap', { direction: 'acquire', map });
      arrive(full, { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: [sA], bar: full, bytes: BYTES, map });
      if (waits) yield* wait(full, 0);
    }
    for (const { full } of stages) yield* wait(full, 0);
  });

  return [load];
});
