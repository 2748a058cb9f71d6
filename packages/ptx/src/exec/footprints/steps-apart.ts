// Groups that move alike along the axes of the grid: clusters meet where the bytes that one of them
// touches meet those that lie some steps further.
import type { Box } from '../../values/origin.ts';
import { commonDivisor } from '../../values/reach.ts';
import type { Group } from './groups.ts';

/** So many steps are looked at. */
const MANY = 1_000_000;

/** Whether no two clusters can meet in what two groups touch; `false`: that is not known. */
export function areApartOnAxes(group: Group, other: Group, { to }: Box): boolean {
  const { moves } = group;
  if (group.shifts !== other.shifts || [...moves.keys()].some((by) => typeof by !== 'number'))
    return false;
  const [x, y, z] = [0, 1, 2].map((axis) => ({ by: moves.get(axis) ?? 0, most: to[axis]! }));
  const nearest = group.bytes.least - other.bytes.end;
  const furthest = group.bytes.end - other.bytes.least;
  const doMeet = new Map<number, boolean>();
  const meets = (distance: number): boolean => {
    let isMet = doMeet.get(distance);
    if (isMet === undefined)
      doMeet.set(distance, (isMet = group.bytes.meetsShifted(other.bytes, distance)));
    return isMet;
  };
  let left = MANY;
  for (let above = -z!.most; above <= z!.most; above++)
    for (let beside = -y!.most; beside <= y!.most; beside++) {
      const begin = above * z!.by + beside * y!.by;
      const [first, last] = within(nearest - begin, furthest - begin, x!);
      left -= 1 + Math.max(0, last - first);
      if (left < 0) return false;
      for (let steps = first; steps <= last; steps++) {
        const isSelf = steps === 0 && beside === 0 && above === 0;
        if (!isSelf && meets(begin + steps * x!.by)) return false;
      }
    }
  return true;
}

/** From where to where all clusters of a grid may shift a group that moves along its axes alone. */
export function shiftsOnAxes({ moves }: Group, { to }: Box) {
  let [least, most, step] = [0, 0, 0];
  for (const [mover, by] of moves) {
    if (typeof mover !== 'number') return null;
    const end = by * to[mover]!;
    if (end < 0) least += end;
    else most += end;
    step = commonDivisor(step, Math.abs(by));
  }
  return { least, most, step };
}

/** The numbers of steps that lead to distances between two others. */
function within(
  nearest: number,
  furthest: number,
  { by, most }: { readonly by: number; readonly most: number },
): readonly [first: number, last: number] {
  if (by === 0) return nearest < 0 && furthest > 0 ? [-most, most] : [1, 0];
  const ends = [nearest / by, furthest / by];
  return [
    Math.max(-most, Math.ceil(Math.min(...ends))),
    Math.min(most, Math.floor(Math.max(...ends))),
  ];
}
