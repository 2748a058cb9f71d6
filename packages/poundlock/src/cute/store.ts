// TMA stores: a pipeline without barriers, whose consumer is the copy engine itself.
import { UNITS } from '@poundlock/core/internal/op';
import { asyncUse, commitGroup, requireCount, waitGroup } from '@poundlock/core/internal/program';
import type { Buffer, Operation } from '@poundlock/core/internal/program';

/**
 * The stores of an epilogue, in groups: an acquire waits until fewer than `numStages` groups of
 * the role still read their buffers. It is visible to the role that stores, and to no other.
 */
export class PipelineTmaStore {
  readonly stages: number;

  private constructor(stages: number) {
    this.stages = stages;
  }

  static create({ numStages }: { readonly numStages: number }): PipelineTmaStore {
    requireCount('the stages of a PipelineTmaStore', numStages, 1);
    return new PipelineTmaStore(numStages);
  }

  /** Starts a store that reads `from`. */
  store(from: readonly Buffer[]): void {
    asyncUse(UNITS.bulk, { reads: from });
  }

  /** Closes a group of the stores before it. */
  producerCommit(): void {
    commitGroup(UNITS.bulk);
  }

  /** Waits until the group before the last `numStages − 1` has read its buffers. */
  producerAcquire(): Operation<void> {
    return waitGroup(UNITS.bulk, this.stages - 1);
  }

  /** Waits until every group has read its buffers. */
  producerTail(): Operation<void> {
    return waitGroup(UNITS.bulk, 0);
  }
}
