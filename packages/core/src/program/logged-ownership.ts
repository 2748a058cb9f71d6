// Ownership that logs its ghost operations, so that releases can be moved afterwards.
import type { Position } from '../base/index.ts';
import { makeOp, OpKind, type GhostKind, type Op } from '../op/index.ts';
import type { StageHandle } from './handle.ts';
import { Ownership } from './ownership.ts';

/** Misuses of dead handles stay misuses; the order of releases is not checked yet. */
export class LoggedOwnership extends Ownership {
  override note(
    kind: GhostKind,
    handle: StageHandle,
    covers: number,
    position: Position | undefined,
  ): Op | null {
    const wasLive = this.live.has(handle.id);
    const misuse = super.note(kind, handle, covers, position);
    if (kind !== OpKind.own && !wasLive) return misuse;
    return makeOp(kind, { handle, misuse: null, covers });
  }

  /** Every use counts: the last one is where the release goes. */
  override trusts(): boolean {
    return false;
  }

  /** Releases are moved afterwards: what was stepped before them says nothing yet. */
  override stepsOf(): number {
    return 0;
  }

  override move(from: StageHandle, to: StageHandle, position: Position | undefined): Op | null {
    // The stage keeps its place in the ring: only its owner has another name now.
    return (
      super.move(from, to, position) ?? makeOp(OpKind.use, { handle: to, misuse: null, covers: 0 })
    );
  }
}
