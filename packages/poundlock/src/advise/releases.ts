// Where a role gives stages back: its releases, grouped by the line that makes them.
import type { Position } from '../base/index.ts';
import { OpKind, type Side } from '../op/index.ts';
import { StageHandle, type Straight } from '../program/index.ts';

/** One handle's life in a role's list: its acquire, and the operations of its release. */
export interface Release {
  readonly handle: StageHandle;
  readonly owned: number;
  readonly start: number;
  /** The first operation after the release. */
  readonly end: number;
}

/** The releases of one line, in order. */
export interface ReleaseSite {
  readonly role: number;
  readonly ring: number;
  readonly side: Side;
  readonly place: Position | undefined;
  readonly releases: readonly Release[];
}

/** The sites of a role that signal somebody: other releases only move a counter. */
export function releaseSites(role: number, list: readonly Straight[]): ReleaseSite[] {
  const ownedAt = new Map<number, number>();
  const sites = new Map<string, ReleaseSite & { releases: Release[] }>();
  for (const [at, { op, place }] of list.entries()) {
    const handle = op.detail;
    if (!(handle instanceof StageHandle)) continue;
    if (op.kind === OpKind.own) ownedAt.set(handle.id, at);
    if (op.kind !== OpKind.disown) continue;
    const end = at + 1 + op.count;
    const signals = list.slice(at + 1, end).some((one) => one.op.kind === OpKind.arrive);
    const owned = ownedAt.get(handle.id);
    if (!signals || owned === undefined) continue;
    const { ring, side } = handle;
    const key = `${ring} ${side} ${place?.file}:${place?.line}:${place?.column}`;
    const site = sites.get(key) ?? { role, ring, side, place, releases: [] };
    site.releases.push({ handle, owned, start: at, end });
    sites.set(key, site);
  }
  return [...sites.values()];
}

/** Whether an operation is only about ownership. */
export function isGhost({ op }: Straight): boolean {
  return op.kind === OpKind.own || op.kind === OpKind.use || op.kind === OpKind.disown;
}
