// Bulk copies out of shared memory that lanes of a warp make by one instruction.
import type { UseStep } from '../../steps/step.ts';
import { noteStore } from './copied-contents.ts';
import type { Warp } from './warp.ts';

/** What lanes store by one bulk copy each. */
export interface LaneStore {
  readonly step: UseStep;
  readonly lanes: number;
  /** The box in global memory. */
  readonly box: string | null;
}

/**
 * Adds what a lane stores; a place of `null` is not known. Lanes that store the same bytes there,
 * without an addition, are one copy: what they write is equal, and 32 of them take an H200 as long
 * as one (bench/h200/alike-stores.csv).
 */
export function addStore(
  stores: Map<string, LaneStore>,
  store: LaneStore,
  place: string | null,
): void {
  const isAlone = place === null || store.step.isReduction === true;
  const key = isAlone ? `lane ${store.lanes}` : `${store.step.reads} into ${place}`;
  const same = stores.get(key);
  stores.set(key, same === undefined ? store : { ...same, lanes: same.lanes | store.lanes });
}

/** Records the copies of lanes, in their order. */
export function recordStores(warp: Warp, stores: ReadonlyMap<string, LaneStore>): void {
  for (const { step, lanes, box } of stores.values()) {
    warp.record(step, lanes);
    const [from, to] = step.reads;
    noteStore(warp, from!, to! - from!, step.writes, box);
  }
}
