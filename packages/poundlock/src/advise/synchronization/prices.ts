// What synchronizing instructions cost by themselves, where nothing has to be waited for.
import { costsOf } from '../../simulate/index.ts';
import type { GpuModel } from '../../simulate/index.ts';
import type { SiteKind } from '../../ptx/reduce/sites.ts';

/** Cycles of one execution; `null` where no figure was measured. */
export type Prices = Readonly<Record<SiteKind, number | null>>;

/** The prices of a GPU model. */
export function pricesOf(model: GpuModel): Prices {
  const { waitCycles, arriveCycles } = costsOf(model);
  return {
    barrier: null,
    'warp barrier': null,
    'cluster barrier': null,
    wait: Math.round(waitCycles),
    arrival: Math.round(arriveCycles),
    'copy group wait': null,
    'bulk group wait': null,
    'tensor core wait': null,
    'tensor memory wait': null,
    'register fence': null,
    fence: null,
  };
}

/** What all executions cost. */
export function costOf(prices: Prices, kind: SiteKind, executions: number): number | null {
  const each = prices[kind];
  return each === null ? null : each * executions;
}
