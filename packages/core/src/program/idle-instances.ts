// Role instances that have ended a round: one of them can make a further round of the same loop.
import type { Cursor } from './cursor.ts';
import type { Frame } from './frames.ts';
import type { StepId } from './steps.ts';
import type { EncodedValue } from './value.ts';

/**
 * What saves calls of the kernel where rounds are compared with those of another instance. A round
 * that changes no variable from outside does in an instance that has made other rounds what it does
 * in a fresh one; one that does change some finds them as the few rounds left them that this
 * instance has made. Rounds that own something from outside their loop need a fresh instance.
 */
export class IdleInstances {
  /** By loop, the one that has rested longest first: so each makes a share of the rounds. */
  readonly #resting = new Map<StepId, Cursor[]>();
  /** Whether they are to be used; they are stored in any case. */
  areUsed = false;

  /** An instance has ended a round of `frame` and carries `returned` on. */
  rest(frame: Frame, cursor: Cursor, returned: EncodedValue): void {
    const { ownership } = cursor.context;
    for (const id of returned.ids) ownership.live.delete(id);
    if (ownership.hasLeft || frame.outer.length > 0) return;
    const resting = this.#resting.get(frame.loop) ?? [];
    this.#resting.set(frame.loop, resting);
    resting.push(cursor);
  }

  /** An instance that stands before a round of `frame`. */
  take(frame: Frame): Cursor | undefined {
    if (!this.areUsed || frame.outer.length > 0) return undefined;
    return this.#resting.get(frame.loop)?.shift();
  }
}
