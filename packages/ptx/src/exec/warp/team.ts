// The warps of a warpgroup: a group of wgmma is complete for each once all have committed it.
import type { Warp } from './warp.ts';

/** Warps of a warpgroup. */
const WARPS = 4;

/** Groups of wgmma that a warp has committed. */
class Committed {
  #count = 0;
  #steps = 0;

  of({ steps }: Warp): number {
    if (steps.length < this.#steps) this.#count = this.#steps = 0;
    for (; this.#steps < steps.length; this.#steps++) {
      const step = steps[this.#steps]!;
      if (step.op === 'commitGroup' && step.unit === 'wgmma') this.#count++;
    }
    return this.#count;
  }
}

const committed = new WeakMap<Warp, Committed>();

function groupsOf(warp: Warp): number {
  let known = committed.get(warp);
  if (known === undefined) committed.set(warp, (known = new Committed()));
  return known.of(warp);
}

/**
 * Whether a warp that waits until so many groups are open has to let others of its warpgroup come
 * to the oldest one that it waits for: the run is one that the wait allows.
 */
export function isAheadOfTeam(warp: Warp, pending: number): boolean {
  const needed = groupsOf(warp) - pending;
  const first = Math.floor(warp.index / WARPS) * WARPS;
  return warp.machine.warps.some(
    (other) =>
      other !== warp &&
      other.cta === warp.cta &&
      other.index >= first &&
      other.index < first + WARPS &&
      groupsOf(other) < needed,
  );
}

/** Lets warps go on whose warpgroups do not follow, where nothing else can. */
export function releaseTeams(warps: Iterable<Warp>): boolean {
  let isReleased = false;
  for (const warp of warps) {
    if (warp.turns.team !== 'held') continue;
    warp.turns.team = 'released';
    isReleased = true;
  }
  return isReleased;
}
