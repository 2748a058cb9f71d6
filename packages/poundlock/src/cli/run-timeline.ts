// A run as a page draws it.
import type { RunTimeline } from '@poundlock/core/internal/finding';
import type { Kernel, KernelParameters } from '@poundlock/core/internal/program';
import { simulate, type GpuModel } from '../simulate/index.ts';

/** The most operations that are drawn on a page beside other things. */
const MAX_SPANS = 20_000;

/** Simulates a run once more, for its timeline. */
export function runTimeline(
  kernel: Kernel,
  model: GpuModel,
  params: KernelParameters,
): RunTimeline {
  const { roles, recording } = simulate(kernel, { model, params, maxSpans: MAX_SPANS });
  return { roles: roles.map(({ name }) => name), timeline: recording! };
}
