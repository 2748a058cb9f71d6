// The sizes that the matmul kernels here have in common, and what follows from them.
import { clusterOf, type KernelContext } from 'poundlock/sm100';

/** Parameters of a kernel, with the defaults of the library where it has some. */
export const DEFAULTS = {
  stages: 4,
  accumStages: 2,
  clcStages: 2,
  kIters: 4,
  tiles: 3,
  ctaGroup: 2,
  clusterM: ({ ctaGroup }: { ctaGroup: number }) => ctaGroup,
  clusterN: 1,
};

export interface MatmulConfig {
  readonly stages: number;
  readonly accumStages: number;
  readonly clcStages: number;
  readonly kIters: number;
  readonly tiles: number;
  readonly ctaGroup: number;
  readonly clusterM: number;
  readonly clusterN: number;
}

/** A CTA's tile of the output, and the k elements of one stage; MMA_N for a pair is twice BN. */
export const [BM, BN, BK] = [128, 128, 64];
/** Threads of a CTA that fetch every response of the scheduler: load, mma, epilogue. */
export const CONSUMER_THREADS = 32 + 32 + 128;

/** The cluster of a kernel, and how its accumulators lie in tensor memory. */
export function layOut(config: MatmulConfig) {
  const ctaGroup: 1 | 2 = config.ctaGroup === 1 ? 1 : 2;
  const cluster = clusterOf({ m: config.clusterM, n: config.clusterN, ctaGroup });
  const numStages = config.accumStages;
  const opc = { numStages, stageStrideCols: Math.floor(512 / numStages), ctaGroup };
  return { ctaGroup, cluster, opc };
}

/** The roles of all CTAs; the scheduler's warp is only there in the first. */
export function rolesOf<R>(
  cluster: readonly KernelContext[],
  make: (ctx: KernelContext) => readonly (R | null)[],
): R[] {
  return cluster.flatMap(make).filter((role) => role !== null);
}
