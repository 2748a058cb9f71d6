// Tensor maps of grouped matmuls: one warp makes them, another changes them from group to group.
import { buffer, fence, write } from 'poundlock';
import { WarpGroupBarrier } from 'poundlock/sm100';

const INIT_THREADS = 32 + 32; // MMA and load warp
const INIT_ID = 3;

/** Descriptors in shared memory; their copies in global memory, which TMA reads, are not modelled. */
export function tensormaps() {
  const ab = buffer('tensormap_ab');
  const c = buffer('tensormap_c');
  return {
    /** Keeps the load warp from changing what the MMA warp has not made yet. */
    abInitBarrier: new WarpGroupBarrier(INIT_THREADS, INIT_ID),
    /** By the MMA warp. */
    initAb: () => write(ab),
    /** By the load warp. */
    updateAb: () => {
      write(ab);
      fence('proxy.async');
    },
    /** By the epilogue warps, which do not share theirs. */
    initC: () => write(c),
    updateC: () => write(c),
  };
}
