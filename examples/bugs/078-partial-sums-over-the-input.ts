// A compute warp stores its partial sums in the bytes of the first input stage, which other compute
// warps may still read.
// A split-K GEMM reuses shared memory: sC is where stage 0 of sA was. A barrier of the compute
// warps protects the reduction that follows the stores. The CUDA original has one before the
// stores, too, and the port to CuTe DSL left it out.
// The fix: that barrier.
// https://github.com/sgl-project/sglang/pull/37287
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  kernel,
  read,
  role,
  syncNamed,
  UNITS,
  wait,
  write,
} from 'poundlock';

const STAGES = 2;
const BYTES = 8192;
const WARPS = 4;
const COMPUTE = 1; // a named barrier of the compute warps

export default kernel('dsv3-fused-a', { fixed: false }, ({ fixed }) => {
  const sA = Array.from({ length: STAGES }, (_, stage) =>
    buffer(`sA[${stage}]`, { at: stage * BYTES, bytes: BYTES }),
  );
  const sC = buffer('sC', { at: 0, bytes: BYTES });
  const full = sA.map((_, stage) => barrier(`full[${stage}]`));

  const load = role('load', { lanes: 32 }, function* () {
    for (const [stage, tile] of sA.entries()) {
      arrive(full[stage]!, { bytes: BYTES });
      asyncCopy(UNITS.tma, { into: [tile], bar: full[stage]!, bytes: BYTES });
    }
  });

  const compute = role('compute', { warps: WARPS }, function* () {
    for (const [stage, tile] of sA.entries()) {
      yield* wait(full[stage]!, 0);
      for (let warp = 0; warp < WARPS; warp++) read(tile, { by: { warp } });
    }
    if (fixed) yield* syncNamed(COMPUTE, 32 * WARPS);
    write(sC); // each warp its part
    yield* syncNamed(COMPUTE, 32 * WARPS);
    read(sC, { by: { warp: 0 } }); // reduces them
  });

  return [load, compute];
});
