// The error of a pipe: which stage failed, in which worker, and why.
import { describeError } from '../describe-error.ts';

/**
 * Why a pipe failed. `cause` is the error of the stage, with the stack of its thread.
 *
 * @example
 * import { pipe, PipeError } from 'poundlock/ring';
 *
 * const half = (value: number) => {
 *   if (value % 2 === 1) throw new RangeError(`${value} is odd`);
 *   return value / 2;
 * };
 * const run = pipe([4, 6, 7], { half }, () => {});
 * await run.done.catch((error: PipeError) => {
 *   console.log(error.stage, (error.cause as Error).message); // half 7 is odd
 * });
 */
export class PipeError extends Error {
  /** The name of the class. */
  override readonly name = 'PipeError';
  /** The name of the stage, `source` or `sink`. */
  readonly stage: string;
  /** The number of the worker thread of the stage, from 0; `null` on the thread of the pipe. */
  readonly worker: number | null;
  /** `file:line:column` where the error was thrown, or `null`. */
  readonly line: string | null;

  /** @internal */
  constructor(pipe: string, stage: string, worker: number | null, cause: unknown) {
    const { cause: text, line } = describeError(cause);
    const where = worker === null ? '' : ` in worker ${worker}`;
    super(`pipe ${pipe}: ${stage} failed${where}: ${text}${line === null ? '' : ` at ${line}`}`, {
      cause,
    });
    this.stage = stage;
    this.worker = worker;
    this.line = line;
  }
}
