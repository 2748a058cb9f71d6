// The layout of a kernel's accumulators in tensor memory.
import type { CtaGroup } from '@poundlock/core';
import { option, optionTable, type OptionsOf } from '@poundlock/core/dialect';

/** Columns of tensor memory in one SM. */
export const TMEM_COLUMNS = 512;
/** Threads of a warp. */
export const WARP_SIZE = 32;

export const CONFIG = optionTable({
  /** The number of accumulators. */
  numStages: option.checkedLater<number>(),
  /** Columns from one accumulator to the next. */
  stageStrideCols: option.checkedLater<number>(),
  /** 2 if pairs of CTAs multiply. */
  ctaGroup: option.oneNumberOf<CtaGroup>(1, 2),
});

/** The accumulator stages, from which all types of the output side are made. */
export interface OutputPipelineConfig extends OptionsOf<
  typeof CONFIG,
  'numStages' | 'stageStrideCols' | 'ctaGroup'
> {}
