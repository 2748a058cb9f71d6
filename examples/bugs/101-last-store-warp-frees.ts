// The last store warp of the epilogue deallocates tensor memory without a sync with its peer CTA,
// whose epilogue may still load its half of the accumulator.
// A GEMM on Blackwell: the columns are allocated and freed for both CTAs of a multicast pair, but
// the warp that frees them knows only of its own loads. Modeled here: the columns of the pair are
// those of CTA 0, and each CTA loads from them.
// The fix: a sync of the cluster before the deallocation, or of the CTA if it has no peer.
// https://github.com/deepseek-ai/DeepGEMM/pull/292
import {
  alloc,
  asyncUse,
  barrier,
  commit,
  free,
  kernel,
  pool,
  relinquish,
  role,
  syncCluster,
  UNITS,
  wait,
  waitGroup,
} from 'poundlock';

const PAIR = [0, 1];

export default kernel('sm100-bf16-gemm', { fixed: false }, ({ fixed }) => {
  const tmem = pool('tmem', { capacity: 512, buffers: 1 });
  const [accumulator] = tmem.buffers;
  const full = barrier('tmem_full');

  const mma = role('mma', { cta: 0, lanes: 32 }, function* () {
    yield* alloc(tmem, 512);
    relinquish(tmem);
    asyncUse(UNITS.tcgen05, { writes: [accumulator!] });
    commit(UNITS.tcgen05, full, { ctas: PAIR });
    if (fixed) yield* syncCluster();
    yield* syncCluster();
  });

  const store = (cta: number) =>
    role(`store${cta}`, { cta, lanes: 128 }, function* () {
      yield* wait(full, 0);
      asyncUse(UNITS.tcgen05Ld, { reads: [accumulator!], cta: 0 });
      yield* waitGroup(UNITS.tcgen05Ld, 0);
      if (fixed) yield* syncCluster();
      if (cta === 0) free(accumulator!);
      yield* syncCluster();
    });

  return [mma, store(0), store(1)];
});
