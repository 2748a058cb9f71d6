// The loop whose rounds the engine owns: the only loop that lets a search close (P06).
import { OpKind, makeOp, type Op } from '../op/index.ts';
import { Operation } from './operation.ts';

/** What a loop carries from round to round: plain data and linear handles, never `undefined`. */
export type Carried = {} | null;

/** How a round leaves its loop. */
export class End<R> {
  readonly result: R;
  constructor(result: R) {
    this.result = result;
  }
}

/**
 * Leaves the loop with `result`: `return end(result)`.
 *
 * @owned result
 */
export function end<R extends Carried>(result: R): End<R> {
  return new End(result);
}

export type RoundBody = (state: unknown) => Generator<Op, unknown, number>;

/** The detail of a loop operation. */
export interface LoopDetail {
  readonly state: unknown;
  readonly body: RoundBody;
  /** What the loop returned; the driver writes it before it resumes the role. */
  result: unknown;
}

/**
 * Runs `body` round after round. Every round gets the state that the round before returned, until
 * one returns `end(result)`. Variables from outside may be read and must not be changed: the
 * engine restores rounds from their state alone.
 *
 * @example
 * const sum = yield* loop(0, function* (sum) {
 *   if (!(yield* items.more())) return end(sum);
 *   return sum + 1;
 * });
 */
export function loop<S, R extends Carried = S & Carried>(
  // Not `S extends Carried`: that would make `loop(0, …)` a loop over the literal type 0.
  state: S & Carried,
  body: (state: S) => Generator<Op, (S & Carried) | End<R>, number>,
): Operation<R> {
  const detail: LoopDetail = { state, body: body as unknown as RoundBody, result: undefined };
  return new Operation<R>(makeOp(OpKind.loop, { loop: detail }), () => detail.result as R);
}
