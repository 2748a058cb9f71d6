// A kernel as built on all ways that data which is not known may lead it.
import { uniqueAssumptions, type CheckResult } from '@poundlock/core/internal/finding';
import type { KernelReference, OtherWay } from '@poundlock/core/internal/program';
import { placed } from './reference.ts';

/** Checks one of the other ways. */
export type CheckWay = (way: OtherWay) => Promise<CheckResult>;

/**
 * What all ways together are: certified if each is. An error on one of them is not proved, because
 * no data may lead there.
 */
export async function checkWays(
  first: CheckResult,
  { ways }: KernelReference,
  isOver: () => boolean,
  isOfIsa: boolean,
  checkWay: CheckWay,
): Promise<CheckResult> {
  if (ways === undefined) return first;
  const where = placed(ways.decided);
  if (first.verdict !== 'certified') return doubtful(first, first, where);
  const all = [...first.scope.assumptions];
  let { events } = first.stats;
  const others = ways.others(isOver, isOfIsa);
  for (let each = others.next(); ; each = others.next()) {
    if (each.done === true) {
      const open = each.value;
      if (open !== null) return doubtful(first, { ...first, reason: `${open}: ${where}` }, where);
      all.push({ name: ways.assumption.name, text: `${ways.assumption.text}: ${where}` });
      const stats = { ...first.stats, events };
      return { ...first, stats, scope: { ...first.scope, assumptions: uniqueAssumptions(all) } };
    }
    if (isOver()) return doubtful(first, { ...first, reason: 'the time limit was reached' }, where);
    const found = await checkWay(each.value);
    if (found.verdict !== 'certified') return doubtful(first, found, where);
    all.push(...found.scope.assumptions);
    events = (events ?? 0) + (found.stats.events ?? 0);
  }
}

/** The result of a kernel of which one way is not certified. */
function doubtful(first: CheckResult, found: CheckResult, where: string): CheckResult {
  const error = found.findings.find(({ severity }) => severity === 'error');
  const reason = error === undefined ? found.reason! : error.message;
  return {
    ...first,
    verdict: 'inconclusive',
    findings: [],
    scope: { ...first.scope, assumptions: [] },
    reason: error === undefined ? reason : `${reason}, if data leads there: ${where}`,
  };
}
