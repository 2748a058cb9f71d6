// Bulk stores of several blocks into the same bytes: what they store is data, and may be the same.
import type { WarpSteps } from '../../steps/run.ts';

interface Stored {
  readonly at: number;
  readonly cta: number;
  readonly from: number;
  readonly to: number;
}

/** The instructions whose stores meet those of other blocks. */
export function meetingStores(warps: readonly WarpSteps[]): ReadonlySet<number> {
  const all = warps.flatMap(({ cta, steps }): Stored[] =>
    steps.flatMap((step): Stored[] => {
      if (step.op !== 'use' || step.unit !== 'bulk' || step.isReduction === true) return [];
      const { at, writes } = step;
      return writes.flatMap((from, index) =>
        index % 2 === 0 ? [{ at, cta, from, to: writes[index + 1]! }] : [],
      );
    }),
  );
  all.sort((one, other) => one.from - other.from);
  const found = new Set<number>();
  let open: Stored[] = [];
  for (const each of all) {
    open = open.filter(({ to }) => to > each.from);
    for (const { at, cta } of open)
      if (cta !== each.cta) {
        found.add(at);
        found.add(each.at);
      }
    open.push(each);
  }
  return found;
}
