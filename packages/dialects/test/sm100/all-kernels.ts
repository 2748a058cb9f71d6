// The kernels of examples/sm100 with the parameters that make them small.
import type { Kernel } from 'poundlock';
import blockScaled from '../../../../examples/sm100/block-scaled.ts';
import blockwiseFp8Linear from '../../../../examples/sm100/blockwise-fp8-linear.ts';
import blockwiseFp8 from '../../../../examples/sm100/blockwise-fp8.ts';
import conv2d from '../../../../examples/sm100/conv2d.ts';
import standard from '../../../../examples/sm100/default.ts';
import groupedOneSm from '../../../../examples/sm100/grouped-1sm.ts';
import groupedTwoSm from '../../../../examples/sm100/grouped-2sm.ts';
import splitK from '../../../../examples/sm100/splitk.ts';

export interface KernelCase {
  readonly kernel: Kernel;
  /** The CTAs of a group that it is written for. */
  readonly ctaGroups: readonly number[];
}

export const KERNELS: Readonly<Record<string, KernelCase>> = {
  'block-scaled': { kernel: blockScaled, ctaGroups: [1, 2] },
  'blockwise-fp8': { kernel: blockwiseFp8, ctaGroups: [1, 2] },
  'blockwise-fp8-linear': { kernel: blockwiseFp8Linear, ctaGroups: [1, 2] },
  conv2d: { kernel: conv2d, ctaGroups: [1, 2] },
  default: { kernel: standard, ctaGroups: [1, 2] },
  'grouped-1sm': { kernel: groupedOneSm, ctaGroups: [1] },
  'grouped-2sm': { kernel: groupedTwoSm, ctaGroups: [2] },
  splitk: { kernel: splitK, ctaGroups: [1, 2] },
};

/** One CTA, one tile, and one of everything that a ring can have. */
export const TINY = {
  stages: 1,
  accumStages: 1,
  clcStages: 1,
  kIters: 1,
  tiles: 1,
  ctaGroup: 1,
};
