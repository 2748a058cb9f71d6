// Groups of wgmma: the work of four warps. A group is complete for each of them once the parts of
// all four are, which a hidden barrier with four arrivals stands for.
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { PlannedBarrier } from './plan.ts';

/** Warps of a warpgroup. */
const WARPS = 4;

/** Hidden barriers for the groups of each warpgroup, used round robin. */
export class WarpgroupBarriers {
  readonly slots: number;
  readonly #barriers: PlannedBarrier[];
  readonly #byName = new Map<string, number>();

  /** Adds to `barriers` what the groups need. */
  constructor(run: ReferenceRun, barriers: PlannedBarrier[]) {
    this.#barriers = barriers;
    const most = Math.max(1, ...run.warps.map(openGroups));
    // Twice as many as are open at one time: a warp may be a group ahead of another.
    this.slots = 2 ** Math.ceil(Math.log2(2 * (most + 1)));
  }

  /** The barrier of a warp's group by its number. */
  of({ warp }: WarpSteps, group: number): number {
    const first = Math.floor(warp / WARPS) * WARPS;
    const name = `wgmma.warps${first}-${first + WARPS - 1}[${group % this.slots}]`;
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const id = this.#barriers.length;
    this.#barriers.push({ name, count: WARPS, isHidden: true });
    this.#byName.set(name, id);
    return id;
  }

  /** The parity with which a group's barrier completes. */
  parity(group: number): number {
    return Math.floor(group / this.slots) & 1;
  }
}

/** The most groups of a warp that are open at one time. */
function openGroups({ steps }: WarpSteps): number {
  let open = 0;
  let most = 0;
  for (const step of steps) {
    if (step.op === 'commitGroup' && step.unit === 'wgmma') most = Math.max(most, ++open);
    else if (step.op === 'waitGroup' && step.unit === 'wgmma') open = Math.min(open, step.pending);
  }
  return most;
}
