// Barriers are initialized and the block meets, without a fence for the copies that complete on
// them. The thread asks for fence_barrier_init() after the initialization, as CUTLASS has it.
// Until PTX 9.3 the ISA promised an initialization to copies only after a fence; since then copies
// reach their mbarrier as threads do, and the meeting is enough. So this is a warning of the
// profile isa, and only for code of an older PTX, which `launch` names.
// https://github.com/MoonshotAI/FlashKDA/issues/24
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  fence,
  init,
  kernel,
  launch,
  namedBarrier,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
} from 'poundlock';

const BYTES = 8_192;
const FIRST = { warp: 0 };

export default kernel('kda-prologue', { fixed: false, chunks: 2 }, ({ fixed, chunks }) => {
  launch({ ptx: '8.7' });
  const names = ['q', 'k', 'v'];
  const tiles = names.map((name) => buffer(name, { bytes: BYTES }));
  const bars = names.map((name) => barrier(`${name}_full`, { count: 0 }));
  const block = namedBarrier('block', { id: 0, threads: 128 });

  const compute = role('compute', { warps: 4 }, function* () {
    for (const bar of bars) init(bar, 1, { by: FIRST });
    if (fixed) fence('mbarrier.init', { by: FIRST });
    yield* syncNamed(block);
    for (let chunk = 0; chunk < chunks; chunk++) {
      for (const [at, bar] of bars.entries()) {
        arrive(bar, { bytes: BYTES, by: FIRST });
        asyncCopy(UNITS.tma, { into: [tiles[at]!], bar, bytes: BYTES, by: FIRST });
      }
      for (const [at, bar] of bars.entries()) {
        yield* wait(bar, chunk);
        read(tiles[at]!);
      }
      if (fixed) fence('proxy.async');
      yield* syncNamed(block);
    }
  });

  return [compute];
});
