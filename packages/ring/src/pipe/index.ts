// Pipes: a source, stages on worker threads with rings between them, and a sink, in one call.
import type { PipeSink, PipeSource } from './ends.ts';
import { planOf, topologyOf } from './plan.ts';
import type { PipeOptions, PipeStage, PipeTopology } from './plan.ts';
import { PipeRun } from './run.ts';

export type { PipeSink, PipeSource } from './ends.ts';
export { PipeError } from './errors.ts';
export { wholeLines } from './lines.ts';
export type {
  PipeFunction,
  PipeGroup,
  PipeLink,
  PipeOptions,
  PipeStage,
  PipeStageOptions,
  PipeTopology,
} from './plan.ts';
export { PipeRun, type PipeProgress, type StageProgress } from './run.ts';

/**
 * Passes the items of a source through stages to a sink, and starts at once. A stage whose function
 * is in a module runs on worker threads, with a ring before and after it. Without a sink, the items
 * are read from the pipe itself. An item is anything that can be cloned: bytes and text are copied
 * as such, the rest is serialized.
 *
 * @throws InputError for what is no source, stage, sink or option.
 *
 * @example
 * import { pipe } from 'poundlock/ring';
 *
 * const even = (value: number) => (value % 2 === 0 ? value : undefined);
 * const half = (value: number) => value / 2;
 * let sum = 0;
 * const { done } = pipe([1, 2, 3, 4], [{ even }, { half }], (value: number) => (sum += value));
 * console.log((await done).written, sum); // 2 3
 */
export function pipe<Out = unknown>(
  source: PipeSource<unknown>,
  stages: PipeStage | readonly PipeStage[],
  sink?: PipeSink<never>,
  options: PipeOptions = {},
): PipeRun<Out> {
  return new PipeRun<Out>(planOf(stages, options), source, sink, options.signal);
}

/**
 * What a pipe with these stages consists of, without running it: `poundlock check` proves that
 * it cannot hang.
 */
pipe.describe = (
  stages: PipeStage | readonly PipeStage[],
  options: PipeOptions = {},
): PipeTopology => topologyOf(planOf(stages, options));
