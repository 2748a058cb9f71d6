// A kernel makes its tensor map itself, and the acquire before the first load has no effect.
// Triton writes a descriptor in global memory, releases it, and acquires it by
// fence.proxy.tensormap. For that acquire ptxas left out a fence in the machine code, so TMA could
// read what was there before. What the assembler leaves out, this program leaves out.
// The work-around: a bulk commit_group and wait_group after it, which made ptxas emit the fence.
// https://github.com/triton-lang/triton/pull/7293
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
  write,
} from 'poundlock';

const WARPS = 4;
const BYTES = 8192;
const ONE = { warp: 0 };

export default kernel('device-descriptor', { fixed: false }, ({ fixed }) => {
  const map = buffer('descriptor', { space: 'tensormap' });
  const tile = buffer('tile', { bytes: BYTES });
  const loaded = barrier('loaded');
  const block = namedBarrier('block', { id: 0, threads: 32 * WARPS });

  const warps = role('warps', { warps: WARPS }, function* () {
    write(map, { by: ONE });
    fence('proxy.tensormap', { direction: 'release', by: ONE });
    if (fixed) fence('proxy.tensormap', { direction: 'acquire', map, by: ONE });
    yield* syncNamed(block);
    arrive(loaded, { bytes: BYTES, by: ONE });
    asyncCopy(UNITS.tma, { into: [tile], map, bar: loaded, bytes: BYTES, by: ONE });
    yield* wait(loaded, 0);
    read(tile);
  });
  return [warps];
});
