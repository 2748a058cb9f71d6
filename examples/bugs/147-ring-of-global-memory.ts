// Threads store tokens to a ring in global memory and count them; the loader acquires the count and
// lets TMA read the ring, through another proxy. The fix: fence.proxy.async.global before the load.
// https://github.com/mlc-ai/TIRx-kernels/pull/14
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

export default kernel('mega-moe', { fixed: false }, ({ fixed }) => {
  const ring = buffer('ring', { bytes: 1024, space: 'global' });
  const counted = barrier('counted', { space: 'global' });
  const tile = buffer('tile', { bytes: 1024 });
  const full = barrier('full');
  return [
    role('dispatch', { lanes: 1 }, function* () {
      write(ring);
      arrive(counted);
    }),
    role('loader', { lanes: 1 }, function* () {
      yield* wait(counted, 0);
      if (fixed) fence('proxy.async', { space: 'global' });
      arrive(full, { bytes: 1024 });
      asyncCopy(UNITS.tma, { reads: [ring], into: [tile], bar: full, bytes: 1024 });
      yield* wait(full, 0);
    }),
  ];
});
