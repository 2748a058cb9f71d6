// Ghost state of ownership: which stages a role holds, and every misuse of a handle (O01-O05).
import type { Position } from '../base/index.ts';
import type { RuleId } from '../finding/index.ts';
import { makeOp, OpKind, type Op, type Side } from '../op/index.ts';
import type { StageHandle } from './handle.ts';

/** A handle that a role owns now. */
export interface Owned {
  readonly handle: StageHandle;
  readonly acquiredAt: Position | undefined;
}

/** A misuse of a handle: the `detail` of a ghost operation that stays in the role's steps. */
export interface Misuse {
  readonly rule: RuleId;
  readonly ring: number;
  readonly side: Side;
  readonly stage: number;
  /** The other place that matters: the acquire, or the first release. */
  readonly otherAt: Position | undefined;
}

/** What one role owns. Handles are known by ids, which never repeat in a role instance. */
export class Ownership {
  readonly live = new Map<number, Owned>();
  readonly #releasedAt = new Map<number, Position | undefined>();
  nextId = 0;

  /** Performs a ghost operation; returns it with its {@link Misuse}, or `null` when all is well. */
  perform(op: Op, position: Position | undefined): Op | null {
    const handle = op.detail as StageHandle;
    if (op.kind === OpKind.own) {
      const rival = [...this.live.values()].find(
        ({ handle: other }) =>
          other.ring === handle.ring && other.side === handle.side && other.index === handle.index,
      );
      this.live.set(handle.id, { handle, acquiredAt: position });
      return rival === undefined
        ? null
        : misuse(op.kind, 'double-acquire', handle, rival.acquiredAt);
    }
    if (this.live.has(handle.id)) {
      if (op.kind === OpKind.disown) {
        this.live.delete(handle.id);
        if (position !== undefined) this.#releasedAt.set(handle.id, position);
      }
      return null;
    }
    const rule = op.kind === OpKind.disown ? 'double-release' : 'use-after-release';
    return misuse(op.kind, rule, handle, this.#releasedAt.get(handle.id));
  }

  /** Takes the handles with an id of at least `from` that are not `kept`, each as a leak. */
  leaks(from: number, kept: ReadonlySet<number>): { op: Op; place: Position | undefined }[] {
    const leaked = [...this.live.values()].filter(
      ({ handle }) => handle.id >= from && !kept.has(handle.id),
    );
    return leaked.map(({ handle, acquiredAt }) => {
      this.live.delete(handle.id);
      const op = misuse(OpKind.disown, 'leaked-stage', handle, undefined);
      return { op, place: acquiredAt };
    });
  }
}

function misuse(kind: Op['kind'], rule: RuleId, handle: StageHandle, otherAt?: Position): Op {
  const { ring, side, index } = handle;
  const detail: Misuse = { rule, ring, side, stage: index, otherAt };
  return makeOp(kind, { detail });
}

/** The misuse that a step carries, or `null`: only misused ghost operations stay in the steps. */
export function misuseOf(op: Op): Misuse | null {
  const isGhost = op.kind === OpKind.own || op.kind === OpKind.use || op.kind === OpKind.disown;
  return isGhost ? (op.detail as Misuse) : null;
}
