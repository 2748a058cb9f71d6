// TMA stores: a pipeline without barriers, whose consumer is the copy engine itself.
import { UNITS, asyncUse, commitGroup, waitGroup } from '@poundlock/core';
import type { Buffer, Operation } from '@poundlock/core';
import { closeMembers, option, optionTable, requireCount } from '@poundlock/core/dialect';
import { requireOptions, type OptionsOf } from '@poundlock/core/dialect';

const STORE = optionTable({
  /** The number of stages. */
  numStages: option.checkedLater<number>(),
});

/** Options of {@link PipelineTmaStore}. */
export interface StoreOptions extends OptionsOf<typeof STORE, 'numStages'> {}

/**
 * The TMA stores of an epilogue, in groups: an acquire blocks until fewer than `numStages` groups
 * of the role still read their buffers.
 *
 * @example
 * const sC = [buffer('c0'), buffer('c1')];
 * return [
 *   role('epilogue', function* () {
 *     const stores = PipelineTmaStore.create({ numStages: 2 });
 *     for (const c of sC) {
 *       yield* stores.producerAcquire();
 *       write(c);
 *       fence('proxy.async');
 *       stores.store([c]);
 *       stores.producerCommit();
 *     }
 *     yield* stores.producerTail();
 *   }),
 * ];
 */
export class PipelineTmaStore {
  /** The number of stages. */
  readonly stages: number;

  private constructor(stages: number) {
    this.stages = stages;
  }

  /**
   * Creates a pipeline of stores, for one role.
   *
   * @throws InputError for a number of stages below 1.
   */
  static create(options: StoreOptions): PipelineTmaStore {
    requireOptions('PipelineTmaStore.create()', STORE, options);
    const { numStages } = options;
    requireCount('the stages of a PipelineTmaStore', numStages, 1);
    return new PipelineTmaStore(numStages);
  }

  /** Issues a store that reads `from`. */
  store(from: readonly Buffer[]): void {
    asyncUse(UNITS.bulk, { reads: from });
  }

  /** Closes a group of the stores before it. */
  producerCommit(): void {
    commitGroup(UNITS.bulk);
  }

  /** Blocks until the group before the last `numStages − 1` has read its buffers. */
  producerAcquire(): Operation<void> {
    return waitGroup(UNITS.bulk, this.stages - 1);
  }

  /** Blocks until every group has read its buffers. */
  producerTail(): Operation<void> {
    return waitGroup(UNITS.bulk, 0);
  }
}

closeMembers(PipelineTmaStore.prototype);
