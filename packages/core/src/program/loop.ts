// The loop whose rounds the engine owns: the only loop that lets a search close (P06).
import { callSite, surplus } from '../base/index.ts';
import { OpKind, makeOp, type Op } from '../op/index.ts';
import { created, Operation } from './operation.ts';

/** What a loop passes from round to round: plain data and linear handles, never `undefined`. */
export type Carried = {} | null;

/**
 * The result of a loop's last round: see {@link end}.
 *
 * @example
 * const sum = yield* loop(0, function* (sum) {
 *   return sum === 4 ? end(sum) : sum + 1;
 * });
 * if (sum !== 4) write(tile);
 */
export class End<R> {
  /** The result of the loop. */
  readonly result: R;
  /** Created by {@link end}. */
  constructor(result: R) {
    this.result = result;
  }
}

/**
 * Ends a {@link loop} with `result`, by `return end(result)`.
 *
 * @owned result
 *
 * @example
 * yield* loop(0, function* (round) {
 *   return round === 4 ? end(null) : round + 1;
 * });
 */
export function end<R extends Carried>(result: R): End<R> {
  if (arguments.length > 1) throw surplus('end()', arguments[1]);
  return new End(result);
}

export type RoundBody = (state: unknown) => Generator<Op, unknown, number>;

/** The detail of a loop operation. */
export interface LoopDetail {
  readonly state: unknown;
  readonly body: RoundBody;
  /** Where the loop was called, as the stack of an error: formatted where it is needed. */
  readonly calledAt: Error;
  /** What the loop returned; the driver writes it before it resumes the role. */
  result: unknown;
}

/**
 * Runs `body` round after round. Each round gets the state that the round before returned, until
 * one returns `end(result)`. Rounds may read outer variables and must not change them: an engine
 * restarts a round from its state alone, and rounds with equal states are the same (P06). That
 * makes the state space of a long or endless loop finite, unlike `for` and `while`.
 *
 * @example
 * const items = count(8);
 * return [
 *   role('sum', function* () {
 *     const sum = yield* loop(0, function* (sum) {
 *       if (!(yield* items.more())) return end(sum);
 *       return (sum + 1) % 4;
 *     });
 *     yield* compute(sum);
 *   }),
 * ];
 */
export function loop<S, R extends Carried = S & Carried>(
  // Not `S extends Carried`: that would make `loop(0, …)` a loop over the literal type 0.
  state: S & Carried,
  body: (state: S) => Generator<Op, (S & Carried) | End<R>, number>,
): Operation<R> {
  if (arguments.length > 2) throw surplus('loop()', arguments[2]);
  const calledAt = callSite();
  const detail: LoopDetail = {
    state,
    body: body as unknown as RoundBody,
    calledAt,
    result: undefined,
  };
  const op = makeOp(OpKind.loop, { loop: detail });
  return created(new Operation<R>(op, () => detail.result as R, 'loop()'));
}
