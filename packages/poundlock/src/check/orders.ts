// A kernel as built in all orders of its blocks that matter.
import { uniqueAssumptions, type CheckResult } from '@poundlock/core/internal/finding';
import type { KernelReference, OtherWay } from '@poundlock/core/internal/program';
import { placed } from './reference.ts';

const NOTE = 'another order of the blocks shows it: the schedule cannot be replayed by its token';

/** What all orders together are: certified if each is, and wrong if one of them is. */
export async function checkOrders(
  first: CheckResult,
  { orders }: KernelReference,
  isOver: () => boolean,
  checkWay: (way: OtherWay) => Promise<CheckResult>,
): Promise<CheckResult> {
  if (orders === undefined || first.verdict === 'counterexample') return first;
  const all = [...first.scope.assumptions];
  let { events } = first.stats;
  let open = first.verdict === 'inconclusive' ? first.reason! : null;
  for (const order of orders(isOver)) {
    if (isOver()) return undecided(first, 'the time limit was reached');
    const found = await checkWay(order);
    const { older } = order.reference;
    if (found.verdict === 'counterexample' && older !== undefined) {
      open ??= placed(older);
      continue;
    }
    if (found.verdict === 'counterexample') {
      const findings = found.findings.map(({ replayToken: _token, ...finding }) => {
        return { ...finding, notes: [...finding.notes, NOTE] };
      });
      return { ...found, findings, kernel: first.kernel, params: first.params };
    }
    if (found.verdict === 'inconclusive') open ??= found.reason!;
    all.push(...found.scope.assumptions);
    events = (events ?? 0) + (found.stats.events ?? 0);
  }
  if (open !== null) return undecided(first, open);
  return {
    ...first,
    scope: { ...first.scope, assumptions: uniqueAssumptions(all) },
    stats: { ...first.stats, events },
  };
}

function undecided(first: CheckResult, reason: string): CheckResult {
  const scope = { ...first.scope, assumptions: [] };
  return { ...first, verdict: 'inconclusive', findings: [], scope, reason };
}
