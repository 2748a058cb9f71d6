// A compiler pass fences the operands of Hopper's tensor core, and not those of Blackwell's.
// Triton without warp specialization: all warps store both operands to shared memory, meet, and one
// thread issues the tcgen05.mma, which reads them through the async proxy. The pass looked for the
// dot operation of Hopper alone; the new one has the same needs and another name.
// The fix: the pass also puts fence_async_shared before tc_gen5_mma.
// https://github.com/triton-lang/triton/pull/6405
import {
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  namedBarrier,
  role,
  syncNamed,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const WARPS = 4;
const ISSUER = { warp: 0 };

export default kernel('dot-of-registers', { fixed: false, kTiles: 2 }, ({ fixed, kTiles }) => {
  const [a, b] = [buffer('a', { bytes: 32_768 }), buffer('b', { bytes: 16_384 })];
  const acc = buffer('acc', { space: 'tmem' });
  const done = barrier('mmaDone');
  const block = namedBarrier('block', { id: 0, threads: 32 * WARPS });

  const warps = role('warps', { warps: WARPS }, function* () {
    for (let k = 0; k < kTiles; k++) {
      write(a);
      write(b);
      if (fixed) fence('proxy.async', { space: 'shared' });
      yield* syncNamed(block);
      asyncUse(UNITS.tcgen05, { reads: [a, b], writes: [acc], by: ISSUER });
      commit(UNITS.tcgen05, done, { by: ISSUER });
      yield* wait(done, k);
    }
    asyncUse(UNITS.tcgen05Ld, { reads: [acc] });
    yield* waitGroup(UNITS.tcgen05Ld, 0);
  });
  return [warps];
});
