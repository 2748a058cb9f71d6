// Bulk copies of several clusters that store the same into the same bytes: they do not race with
// each other, as reductions do not.
import type { UseStep } from '../../steps/step.ts';
import type { Warp } from '../warp/warp.ts';

/** A bulk copy out of shared memory, and what it stores. */
interface BulkStore {
  readonly warp: Warp;
  /** The number of its step. */
  readonly step: number;
  readonly contents: string;
}

/** Bulk copies by the bytes, or the box, that they write. */
export type BulkStores = Map<string, BulkStore[]>;

/** Marks the steps of copies that all store the same into the same bytes. */
export function markEqualStores(stores: BulkStores): void {
  for (const all of stores.values()) {
    const [first] = all;
    if (all.length < 2 || all.some(({ contents }) => contents !== first!.contents)) continue;
    for (const { warp, step } of all)
      warp.steps[step] = { ...(warp.steps[step] as UseStep), isReduction: true };
  }
}
