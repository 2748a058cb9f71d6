// Where a run is that did not come to its end: the loops that its busiest warp is in.
import type { Warp } from '../warp/warp.ts';

/** A loop that a warp is in. */
export interface LoopReached {
  /** Its first instruction, and the branch back to it. */
  readonly first: number;
  readonly last: number;
  /** How often the warp has gone back. */
  readonly rounds: number;
}

/** A warp, and the loops around where it is, the innermost first. */
export interface Reached {
  readonly cta: number;
  readonly warp: number;
  readonly loops: readonly LoopReached[];
}

/** Where the warp is that has executed most. */
export function reachedBy(warps: readonly Warp[]): Reached | null {
  const [busiest] = warps.toSorted((one, other) => other.progress.executed - one.progress.executed);
  if (busiest === undefined) return null;
  const { program, progress, cta, index } = busiest;
  const here = busiest.stack.depth === 0 ? -1 : busiest.stack.counter;
  const loops = [...progress.rounds]
    .map(([last, count]) => {
      return { first: program.code.instructions[last]!.targets[0]!, last, rounds: count };
    })
    .filter(({ first, last }) => first <= here && here <= last)
    .toSorted((one, other) => one.last - one.first - (other.last - other.first));
  return { cta: cta.rank, warp: index, loops };
}
