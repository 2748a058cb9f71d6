// Edits of a role's recorded operations: releases moved earlier, later, or into another order.
import { unreachable } from '@poundlock/core/internal/base';
import { isSilent, makeOp, OpKind, type Op, type Unit } from '@poundlock/core/internal/op';
import type { LinearStep } from '@poundlock/core/internal/program';
import { isGhost, type Release, type ReleaseSite } from './releases.ts';

/** Moves each release before the operation at its new position; `list.length` is the end. */
function moved(
  list: readonly LinearStep[],
  places: readonly { readonly release: Release; readonly to: number }[],
): LinearStep[] {
  const taken = new Set<number>();
  const blocks = new Map<number, LinearStep[]>();
  for (const { release, to } of places) {
    for (let at = release.start; at < release.end; at++) taken.add(at);
    const block = list.slice(release.start, release.end);
    blocks.set(to, [...(blocks.get(to) ?? []), ...block]);
  }
  const edited = list.flatMap((one, at) => [
    ...(blocks.get(at) ?? []),
    ...(taken.has(at) ? [] : [one]),
  ]);
  return [...edited, ...(blocks.get(list.length) ?? [])];
}

/** Whether an operation advances a counter of its role, which a release must follow directly. */
function isCounting({ kind }: Op): boolean {
  if (!isSilent(kind)) return false;
  switch (kind) {
    case OpKind.step:
    case OpKind.more:
    case OpKind.stage:
      return true;
    case OpKind.compute:
    case OpKind.fence:
      return false;
    default:
      return unreachable(kind);
  }
}

/** The operations during which a handle is held: where its release could be. */
export function heldOver(list: readonly LinearStep[], { owned, start }: Release): number[] {
  const held: number[] = [];
  for (let at = owned + 1; at < start; at++) {
    if (!isGhost(list[at]!) && !isCounting(list[at]!.op)) held.push(at);
  }
  return held;
}

/** Every release of a site `by` operations earlier. */
export function earlier(list: readonly LinearStep[], site: ReleaseSite, by: number): LinearStep[] {
  const places = site.releases.map((release) => {
    const held = heldOver(list, release);
    return { release, to: held[held.length - by] ?? release.start };
  });
  return moved(list, places);
}

/**
 * Every release of a site `depth` rounds later, where the role releases anyway; stages still held
 * at the end are released there. Waits for a unit that are made while a stage is held leave `depth`
 * groups open, and the last one none; those for other units, such as stores of results, stay.
 */
export function handOverHand(
  list: readonly LinearStep[],
  { releases }: ReleaseSite,
  depth: number,
): LinearStep[] {
  const places = releases.map((release, at) => {
    return { release, to: releases[at + depth]?.start ?? list.length };
  });
  const edited = moved(list, places);
  const units = new Map<string, Unit>();
  for (const at of releases.flatMap((release) => heldOver(list, release))) {
    const { op } = list[at]!;
    if (op.kind === OpKind.waitGroup) units.set(op.args.unit.name, op.args.unit);
  }
  const open = edited.map((one) => {
    const { op } = one;
    if (op.kind !== OpKind.waitGroup || op.args.inFlight >= depth) return one;
    if (!units.has(op.args.unit.name)) return one;
    return { ...one, op: makeOp(OpKind.waitGroup, { unit: op.args.unit, inFlight: depth }) };
  });
  // The last rounds have no successor: they wait for their own work.
  const last =
    edited.length -
    places
      .filter(({ to }) => to === list.length)
      .reduce((sum, { release }) => sum + release.end - release.start, 0);
  const drain = [...units.values()].map((unit) => {
    return { op: makeOp(OpKind.waitGroup, { unit, inFlight: 0 }), place: undefined };
  });
  return [...open.slice(0, last), ...drain, ...open.slice(last)];
}

/** Swaps two sites whose releases directly follow each other. */
export function swapped(
  list: readonly LinearStep[],
  first: ReleaseSite,
  second: ReleaseSite,
): LinearStep[] | null {
  const places = second.releases.flatMap((release) => {
    const before = first.releases.find((one) => isNext(list, one.end, release.start));
    return before === undefined ? [] : [{ release, to: before.start }];
  });
  return places.length === 0 ? null : moved(list, places);
}

function isNext(list: readonly LinearStep[], end: number, start: number): boolean {
  return end <= start && list.slice(end, start).every(isGhost);
}
