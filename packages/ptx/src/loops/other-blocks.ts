// Whether a period that is proved of one cluster is one of all clusters of a grid. What follows
// from the place of a block counts as unknown where it meets what grows, so that each decision is
// either the same in all rounds, and compared here, or the same in all blocks.
import type { Machine } from '../exec/machine/machine.ts';
import { ownTouch } from '../exec/footprints/groups.ts';
import { Classes } from '../exec/origins/classes.ts';
import type { ExecutedRun } from '../steps/run.ts';
import type { NotedTouches } from '../steps/touches.ts';
import { NotProved } from './look.ts';

const DIFFER = 'blocks of the grid do not all do the same';
const MOVES = 'where blocks meet in global memory may not be the same in all rounds';

/** Fails unless all clusters make the steps of the first one, and meet others as in the run. */
export function requireAllBlocks(
  run: ExecutedRun,
  { launch, blocks, pointers }: Machine,
  moving: ReadonlySet<number>,
): void {
  const { touches } = run;
  if (blocks === null) return;
  const classes = new Classes(launch);
  const isHanded = launch.clusterLaunchControl.length > 0;
  const isComplete = touches !== null && !isHanded && ownTouch([touches]) === undefined;
  classes.add(0, blocks.list, isComplete && !blocks.isFull);
  if (classes.isTooMuch || classes.next >= 0) throw new NotProved(-1, DIFFER);
  const at = meetingAt(touches!, pointers, moving);
  if (at !== null) throw new NotProved(at, MOVES);
}

/** An access of which blocks may meet others in other rounds; `null`: there is none. */
function meetingAt(
  { list, boxes, unknown }: NotedTouches,
  pointers: Machine['pointers'],
  moving: ReadonlySet<number>,
): number | null {
  const bufferOf = (address: number): string => {
    const before = pointers.filter((pointer) => pointer.address <= address);
    const last = Math.max(...before.map((pointer) => pointer.address));
    return `${before.find((pointer) => pointer.address === last)?.name}`;
  };
  const all = [
    ...list.map(({ at, isWrite, base }) => ({ at, isWrite, buffer: bufferOf(base) })),
    ...boxes.map(({ at, map, effect }) => ({ at, isWrite: effect.isWrite, buffer: `map ${map}` })),
    ...[...unknown.values()].map(({ at, isWrite }) => ({ at, isWrite, buffer: '' })),
  ];
  const written = new Set(all.filter(({ isWrite }) => isWrite).map(({ buffer }) => buffer));
  const isOpen = written.has('') || written.has('undefined') || written.has('map null');
  const found = all.find(({ at, buffer }) => moving.has(at) && (isOpen || written.has(buffer)));
  return found?.at ?? null;
}
