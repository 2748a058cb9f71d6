// A compiler fences stores before copies, and never loads before copies that overwrite.
// Triton without warp specialization: one buffer, filled by TMA in each iteration, and read to
// registers by all warps. A barrier orders the next load after the reads, and nothing orders the
// two proxies. The analysis had missed this case everywhere.
// The fix: a pass of its own, after shared memory is allocated, puts a fence before the load.
// Since no such kernel is known to fail, `check` asks for it only with --memory isa.
// https://github.com/triton-lang/triton/pull/7262
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  kernel,
  namedBarrier,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
} from 'poundlock';

const WARPS = 4;
const BYTES = 16_384;
const ISSUER = { warp: 0 };

export default kernel('descriptor-loop', { fixed: false, tiles: 3 }, ({ fixed, tiles }) => {
  const tile = buffer('tile', { bytes: BYTES });
  const loaded = barrier('loaded');
  const block = namedBarrier('block', { id: 0, threads: 32 * WARPS });

  const warps = role('warps', { warps: WARPS }, function* () {
    for (let i = 0; i < tiles; i++) {
      if (fixed) fence('proxy.async', { space: 'shared' });
      arrive(loaded, { bytes: BYTES, by: ISSUER });
      asyncCopy(UNITS.tma, { into: [tile], bar: loaded, bytes: BYTES, by: ISSUER });
      yield* wait(loaded, i);
      read(tile);
      yield* syncNamed(block); // all warps have read
    }
  });
  return [warps];
});
