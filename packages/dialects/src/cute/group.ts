// Cooperative groups: the arrival counts of a pipeline's barriers.
import { closed, requireCount, requireWord } from '@poundlock/core/dialect';

/** The threads of a warp. */
export const WARP_THREADS = 32;
/** The threads of a warpgroup. */
export const WARPGROUP_THREADS = 128;

/** What a {@link CooperativeGroup} counts. */
export const Agent = closed('Agent', { Thread: 'thread', Warp: 'warp' } as const);
/** One of the values of the constant. */
export type Agent = (typeof Agent)[keyof typeof Agent];

/**
 * A number of threads or warps, as CuTe DSL's `CooperativeGroup`. Its only use is the arrival
 * count of barriers; whether that many threads arrive is what `check` finds out.
 *
 * @throws InputError for a size below 1.
 *
 * @example
 * const acc = PipelineUmmaAsync.create('acc', {
 *   numStages: 1,
 *   consumerGroup: new CooperativeGroup(Agent.Thread, 4),
 * });
 * const [producer, consumer] = acc.makeParticipants();
 * return [
 *   role('mma', function* () {
 *     const stage = yield* producer.acquireAndAdvance();
 *     stage.commit();
 *   }),
 *   role('epilogue', { lanes: 4 }, function* () {
 *     const stage = yield* consumer.waitAndAdvance();
 *     stage.release();
 *   }),
 * ];
 */
export class CooperativeGroup {
  /** Whether it counts threads or warps. */
  readonly agent: Agent;
  /** The number of threads or warps. */
  readonly size: number;

  /** Creates a group of `size` threads or warps. */
  constructor(agent: Agent, size = 1) {
    requireWord('the agent of a CooperativeGroup', agent, Object.values(Agent));
    requireCount('the size of a CooperativeGroup', size, 1);
    this.agent = agent;
    this.size = size;
  }

  /** How many arrivals of the group complete a phase. */
  get arrivals(): number {
    return this.agent === Agent.Warp ? this.size * WARP_THREADS : this.size;
  }
}
