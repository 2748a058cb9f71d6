// Cooperative groups: who is said to arrive on a barrier, and how often that is.
import { InputError, currentPosition } from '@poundlock/core/internal/base';
import { requireCount } from '@poundlock/core/internal/program';

/** The threads of a warp. */
export const WARP_THREADS = 32;
/** The threads of a warpgroup. */
export const WARPGROUP_THREADS = 128;

/** What a {@link CooperativeGroup} counts. */
export const Agent = { Thread: 'thread', Warp: 'warp' } as const;
export type Agent = (typeof Agent)[keyof typeof Agent];

/**
 * A number of threads or warps, as CuTe DSL's `CooperativeGroup`: its only use is the arrival count
 * of the barriers that it is given to. Nothing checks it against who really arrives; `check` does.
 *
 * @throws InputError for a size below 1.
 * @example
 * const epilogue = new CooperativeGroup(Agent.Thread, 128);
 */
export class CooperativeGroup {
  readonly agent: Agent;
  readonly size: number;

  constructor(agent: Agent, size = 1) {
    if (agent !== Agent.Thread && agent !== Agent.Warp) {
      throw new InputError(`${String(agent)} is not an agent of a group`, currentPosition());
    }
    requireCount('the size of a CooperativeGroup', size, 1);
    this.agent = agent;
    this.size = size;
  }

  /** How many arrivals a phase takes from the group. */
  get arrivals(): number {
    return this.agent === Agent.Warp ? this.size * WARP_THREADS : this.size;
  }
}
