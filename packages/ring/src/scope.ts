// One scope for several endpoints of a thread: they end together, or fail together.
import type { RingEndpoint } from './endpoint.ts';
import type { Schema } from './schema.ts';

/**
 * The scope of a thread that has several endpoints, such as a relay, which consumes from one ring
 * and produces into another. Leaving it without {@link end} poisons all of their rings: what the
 * relay has taken and not passed on is lost, and both sides get the error.
 *
 * @example
 * import { createRing, RelayScope } from 'poundlock/ring';
 *
 * const [numbers, squares] = [1, 2].map(() => createRing({ stages: 4, schema: { value: 'f64' } }));
 * const source = numbers!.producer();
 * source.acquireSync().release();
 * source.end();
 * {
 *   const [from, to] = [numbers!.consumer(), squares!.producer()];
 *   using relay = new RelayScope(from, to);
 *   for (const tile of from) {
 *     const square = to.acquireSync();
 *     square.data.value = tile.data.value ** 2;
 *     square.release();
 *   }
 *   relay.end();
 * }
 * console.log(squares!.failure, squares!.items().produced); // null 1
 */
export class RelayScope implements Disposable {
  readonly #ends: readonly RingEndpoint<Schema>[];
  #isOver = false;

  /** `ends`: the endpoints, which need no scope of their own then. */
  constructor(...ends: readonly Pick<RingEndpoint<Schema>, 'close' | 'fail'>[]) {
    // The schemas of the endpoints do not matter here.
    this.#ends = ends as readonly RingEndpoint<Schema>[];
  }

  /**
   * Closes all endpoints: the streams of the producers end.
   *
   * @throws RingMisuse when one of them still holds a stage; all rings are poisoned then.
   */
  end(): void {
    if (this.#isOver) return;
    try {
      for (const end of this.#ends) end.close();
      this.#isOver = true;
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** Poisons the rings of all endpoints with the message and the line of `error`. */
  fail(error: unknown): void {
    this.#isOver = true;
    for (const end of this.#ends) end.fail(error);
  }

  /** The end of the scope: without {@link end} before, it fails, without an error of its own. */
  [Symbol.dispose](): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of this.#ends) end.leaveTogether();
  }
}
