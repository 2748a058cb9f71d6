// What one function drops several times: one finding, with the other places.
import type { Finding } from '@poundlock/core/internal/finding';
import type { FlowFinding } from '../flow/report.ts';
import { functionAround } from '../heuristics/runs-once.ts';

/** Fewer are shown one by one. */
const SEVERAL = 3;

/** The same for listeners and registrations of one kind that one function drops. */
export function causeOf({ instance, reason, file, start }: FlowFinding): string | undefined {
  const { contract } = instance ?? {};
  if (contract === undefined || reason !== 'dropped') return undefined;
  if (contract.mildLeak !== 'listener' && !contract.isStructural) return undefined;
  const within = functionAround(file, start);
  return within && `${contract.id}:${within.start}`;
}

/** Findings of one cause, in the order of their places, as one. */
export function oneOfEach<Located extends { readonly finding: Finding; readonly cause?: string }>(
  all: readonly Located[],
): Located[] {
  const groups = Map.groupBy(all, ({ finding, cause }) => cause && `${finding.severity}:${cause}`);
  return all.flatMap((each) => {
    const { cause, finding } = each;
    const group = groups.get(cause && `${finding.severity}:${cause}`) ?? [];
    if (cause === undefined || group.length < SEVERAL) return [each];
    if (group[0] !== each) return [];
    const others = group.slice(1).map((other) => ({ ...other.finding.primary, text: 'and here' }));
    const notes = [...finding.notes, `${others.length} more are discarded in this function`];
    return [{ ...each, finding: { ...finding, labels: [...finding.labels, ...others], notes } }];
  });
}
