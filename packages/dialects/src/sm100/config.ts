// The layout of a kernel's accumulators in tensor memory.
import type { CtaGroup } from '@poundlock/core';

/** Columns of tensor memory in one SM. */
export const TMEM_COLUMNS = 512;
/** Threads of a warp. */
export const WARP_SIZE = 32;

/** The accumulator stages, from which all types of the output side are made. */
export interface OutputPipelineConfig {
  /** The number of accumulators. */
  readonly numStages: number;
  /** Columns from one accumulator to the next. */
  readonly stageStrideCols: number;
  /** 2 if pairs of CTAs multiply. */
  readonly ctaGroup: CtaGroup;
}
