// Groups the releases of a role by source line.
import type { Position } from '@poundlock/core/internal/base';
import { isGhostOp, OpKind, Side } from '@poundlock/core/internal/op';
import { coveredBy, handleOf } from '@poundlock/core/internal/program';
import type { DeclaredRing, StageHandle, LinearStep } from '@poundlock/core/internal/program';

/** The lifetime of one handle in a role's list: its acquire and the operations of its release. */
export interface Release {
  readonly handle: StageHandle;
  readonly owned: number;
  readonly start: number;
  /** The first operation after the release. */
  readonly end: number;
}

/** The releases of one source line, in order. */
export interface ReleaseSite {
  readonly role: number;
  readonly ring: number;
  readonly side: Side;
  readonly place: Position | undefined;
  readonly releases: readonly Release[];
}

/** Whether an operation passes a handle's stage to the other side. */
function signals(
  one: LinearStep | undefined,
  rings: readonly DeclaredRing[],
  of: StageHandle,
): boolean {
  // Immediately, or when the work before it is complete.
  if (one?.op.kind !== OpKind.arrive && one?.op.kind !== OpKind.commit) return false;
  const { full, empty } = rings[of.ring]!;
  return (of.side === Side.produce ? full : empty)[of.index] === one.op.args.barrier;
}

/**
 * The sites of a role that signal another role: other releases only advance a counter. The signal
 * is part of the release or, in libraries whose releases only step, directly before it.
 */
export function releaseSites(
  role: number,
  list: readonly LinearStep[],
  rings: readonly DeclaredRing[],
): ReleaseSite[] {
  const ownedAt = new Map<number, number>();
  const sites = new Map<string, ReleaseSite & { releases: Release[] }>();
  for (const [at, { op, place }] of list.entries()) {
    const handle = handleOf(op);
    if (handle === null) continue;
    if (op.kind === OpKind.own) ownedAt.set(handle.id, at);
    if (op.kind !== OpKind.disown) continue;
    const end = at + 1 + coveredBy(op);
    const isSignal = (one: LinearStep | undefined): boolean => signals(one, rings, handle);
    const isBefore = isSignal(list[at - 1]);
    const owned = ownedAt.get(handle.id);
    if (owned === undefined || !(isBefore || list.slice(at + 1, end).some(isSignal))) continue;
    const { ring, side } = handle;
    const key = `${ring} ${side} ${place?.file}:${place?.line}:${place?.column}`;
    const site = sites.get(key) ?? { role, ring, side, place, releases: [] };
    site.releases.push({ handle, owned, start: isBefore ? at - 1 : at, end });
    sites.set(key, site);
  }
  return [...sites.values()];
}

/** Whether an operation is only about ownership. */
export function isGhost({ op }: LinearStep): boolean {
  return isGhostOp(op);
}
