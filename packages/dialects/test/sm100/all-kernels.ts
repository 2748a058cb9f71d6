// The kernels of examples/sm100, with their texts and the parameters that make them small.
import { pathOf } from '@poundlock/core/internal/host';
import type { Kernel } from 'poundlock';
import blockScaled from '../../../../examples/sm100/block-scaled.ts';
import blockwiseFp8Linear from '../../../../examples/sm100/blockwise-fp8-linear.ts';
import blockwiseFp8 from '../../../../examples/sm100/blockwise-fp8.ts';
import conv2d from '../../../../examples/sm100/conv2d.ts';
import standard from '../../../../examples/sm100/default.ts';
import groupedOneSm from '../../../../examples/sm100/grouped-1sm.ts';
import groupedTwoSm from '../../../../examples/sm100/grouped-2sm.ts';
import splitK from '../../../../examples/sm100/splitk.ts';
import { withSource } from '../../../poundlock/src/cli/program-source.ts';

export interface KernelCase {
  readonly kernel: Kernel;
  /** The CTAs of a group that it is written for. */
  readonly ctaGroups: readonly number[];
}

/** A kernel as the command line has it. */
function withText(kernel: Kernel): Kernel {
  return withSource(kernel, pathOf(kernel.position!.file));
}

export const KERNELS: Readonly<Record<string, KernelCase>> = {
  'block-scaled': { kernel: withText(blockScaled), ctaGroups: [1, 2] },
  'blockwise-fp8': { kernel: withText(blockwiseFp8), ctaGroups: [1, 2] },
  'blockwise-fp8-linear': { kernel: withText(blockwiseFp8Linear), ctaGroups: [1, 2] },
  conv2d: { kernel: withText(conv2d), ctaGroups: [1, 2] },
  default: { kernel: withText(standard), ctaGroups: [1, 2] },
  'grouped-1sm': { kernel: withText(groupedOneSm), ctaGroups: [1] },
  'grouped-2sm': { kernel: withText(groupedTwoSm), ctaGroups: [2] },
  splitk: { kernel: withText(splitK), ctaGroups: [1, 2] },
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
