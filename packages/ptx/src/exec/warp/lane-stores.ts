// Bulk copies out of shared memory that lanes of a warp make by one instruction.
import type { UseStep } from '../../steps/step.ts';

/** What lanes store by one bulk copy each. */
export interface LaneStore {
  readonly step: UseStep;
  readonly lanes: number;
  /** The box in global memory. */
  readonly box: string | null;
}

/**
 * Adds what a lane stores; a place of `null` is not known. Lanes that store the same bytes there,
 * without an addition, are one copy: what they write is equal, and a GPU copies once what lanes of a
 * warp request alike.
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
