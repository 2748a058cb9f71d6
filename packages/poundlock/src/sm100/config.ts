// How the accumulators of a kernel lie in tensor memory.
import type { CtaGroup } from '@poundlock/core/internal/program';

/** Columns of tensor memory in one SM. */
export const TMEM_COLUMNS = 512;
export const WARP_SIZE = 32;

/** The accumulator stages: what every type of the output side is made for. */
export interface OutputPipelineConfig {
  readonly numStages: number;
  /** Columns from one accumulator to the next. */
  readonly stageStrideCols: number;
  readonly ctaGroup: CtaGroup;
}
