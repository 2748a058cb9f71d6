// Bug: the scales of CTA 1 are read by an MMA that CTA 0 issues for both, and the arrival that
// announces them releases at CTA scope, the default of mbarrier.arrive.
// On hardware: nothing orders memory between two CTAs unless both the arrival and the wait have the
// scope of the cluster. The MMA can read scales of the tile before.
// Fix: scope: 'cluster' on both (mbarrier.arrive.release.cluster, try_wait.acquire.cluster).
import {
  arrive,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  UNITS,
  wait,
  write,
} from 'poundlock';

export default kernel('cta-scoped-release', { tiles: 2, wide: false }, ({ tiles, wide }) => {
  const scales = buffer('scales');
  const ready = barrier('ready');
  const free = barrier('free');
  const scope = wide ? 'cluster' : 'cta';

  const transform = role('transform', { cta: 1 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(free, tile - 1);
      write(scales);
      fence('proxy.async');
      arrive(ready, { cta: 0, scope });
    }
    yield* wait(free, tiles - 1);
  });

  const multiply = role('mma', { cta: 0 }, function* () {
    for (let tile = 0; tile < tiles; tile++) {
      yield* wait(ready, tile, { scope });
      asyncUse(UNITS.tcgen05, { reads: [scales], cta: 1 });
      commit(UNITS.tcgen05, free, { cta: 1 });
    }
  });

  return [transform, multiply];
});
