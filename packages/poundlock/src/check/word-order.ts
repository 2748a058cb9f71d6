// Words of memory whose polls rest on the order of their writes: whether a result keeps it.
import type { CheckResult, TraceStep } from '@poundlock/core/internal/finding';
import type { KernelReference, OrderedWord } from '@poundlock/core/internal/program';

/** A word that a result takes for written in an order that is not proved; `null`: none. */
export function wordOutOfOrder(
  { verdict, findings, stats }: CheckResult,
  { words = [] }: KernelReference,
): OrderedWord | null {
  const [first] = words;
  if (first === undefined || verdict === 'inconclusive') return null;
  if (verdict === 'certified') return stats.engine === 'certify' ? null : first;
  const error = findings.find(({ severity }) => severity === 'error');
  const { trace } = error ?? {};
  if (trace === undefined) return first;
  return words.find((word) => !isInOrder(word, trace)) ?? null;
}

/** Whether the phases of a word have the writers that they have in the run. */
function isInOrder({ name, arrivals, writers }: OrderedWord, trace: readonly TraceStep[]): boolean {
  const open = [...writers];
  let count = 0;
  for (const { agent, verb, barriers } of trace) {
    if (verb !== 'arrive' || !barriers.some((barrier) => barrier.name === name)) continue;
    // Those of the phase that is open, of which some have come.
    let left = arrivals - (count % arrivals);
    let index = 0;
    for (; index < open.length && left > 0 && !isPartOf(agent, open[index]!.role); index++)
      left -= open[index]!.count;
    const [writer] = left > 0 ? open.splice(index, 1) : [];
    if (writer === undefined) return false;
    count += writer.count;
  }
  return true;
}

/** Whether a role is that of a warp, or of some of its lanes. */
function isPartOf(role: string, warp: string): boolean {
  return role === warp || role.startsWith(`${warp}.`);
}
