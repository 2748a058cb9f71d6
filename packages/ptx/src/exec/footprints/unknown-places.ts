// Accesses to global memory at addresses that are not known, and what else they may meet.
import type { Program } from '../warp/program.ts';
import type { NotedTouches, UnknownTouch } from '../../steps/touches.ts';

/** What an access at some address may meet: pointers that it is derived from, or any memory. */
type Names = ReadonlySet<string> | null;

interface Placed {
  readonly names: Names;
  readonly isWrite: boolean;
  readonly isOrdered: boolean;
}

/** All instructions that touch global memory, with the pointers that lead there. */
function allOf({ list, unknown }: NotedTouches, program: Program): Placed[] {
  const placed = new Map<number, Placed>();
  for (const { at, isWrite, kind } of [...list, ...unknown.values()])
    if (!placed.has(at)) {
      const names = program.pointersOf(program.touchings[at]!);
      placed.set(at, { names, isWrite, isOrdered: kind !== 'plain' });
    }
  return [...placed.values()];
}

function mayMeet(one: Placed, other: Placed): boolean {
  if (!(one.isWrite || other.isWrite) || (one.isOrdered && other.isOrdered)) return false;
  const { names } = other;
  return one.names === null || names === null || [...one.names].some((name) => names.has(name));
}

/** Instructions at unknown addresses that may meet what another thread does. */
export function unknownMeetings(
  touches: NotedTouches,
  program: Program,
): readonly (UnknownTouch & { readonly names: Names })[] {
  if (touches.unknown.size === 0) return [];
  const all = allOf(touches, program);
  return [...touches.unknown.values()].flatMap((each) => {
    const names = program.pointersOf(program.touchings[each.at]!);
    const own = { names, isWrite: each.isWrite, isOrdered: each.kind !== 'plain' };
    return all.some((other) => mayMeet(own, other)) ? [{ ...each, names }] : [];
  });
}
