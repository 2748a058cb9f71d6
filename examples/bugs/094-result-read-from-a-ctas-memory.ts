// CTA 0 makes an atomic operation for its cluster, and returns while the other CTAs still read the
// result from its shared memory.
// A kernel with four CTAs broadcasts a scalar: CTA 0 stores it, and each CTA reads it through mapa
// and ld.shared::cluster. No cluster barrier stands before the return of CTA 0, and the launch
// fails on sm_120.
// The fix: a cluster barrier before each return of a kernel with several CTAs.
// https://github.com/triton-lang/triton/pull/11731
import { buffer, kernel, read, role, syncCluster, write } from 'poundlock';

export default kernel('scalar-atomic', { fixed: false, ctas: 4 }, ({ fixed, ctas }) => {
  const old = buffer('old', { bytes: 4 });

  const program = (cta: number) =>
    role(`program${cta}`, { cta, lanes: 128 }, function* () {
      if (cta === 0) write(old);
      yield* syncCluster(); // the result is there
      read(old, { cta: 0 });
      if (fixed) yield* syncCluster();
    });

  return Array.from({ length: ctas }, (_, cta) => program(cta));
});
