// Bug: a grouped GEMM rewrites its tensor map for the next group, and copies by it at once.
// On hardware: copies read tensor maps through a proxy of their own, which has a cache. The copy
// can use the addresses and sizes of the group before.
// Fix: release the map after the change, and acquire it before the copy (tensormap.cp_fenceproxy or
// fence.proxy.tensormap::generic.release, then fence.proxy.tensormap::generic.acquire).
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

export default kernel(
  'tensormap-not-released',
  { groups: 2, fenced: false },
  ({ groups, fenced }) => {
    const sA = buffer('sA');
    const map = buffer('mapA', { space: 'tensormap' });
    const full = barrier('full');

    const load = role('load', function* () {
      for (let group = 0; group < groups; group++) {
        write(map); // tensormap.replace
        if (fenced) {
          fence('proxy.tensormap', { direction: 'release' });
          fence('proxy.tensormap', { direction: 'acquire', map });
        }
        arrive(full, { bytes: BYTES });
        asyncCopy(UNITS.tma, { into: [sA], bar: full, bytes: BYTES, map });
        yield* wait(full, group);
      }
    });

    return [load];
  },
);
