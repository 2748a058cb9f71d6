// Words of memory whose polls rest on the order of their writes: whether a result keeps it.
import type { CheckResult, Finding, TraceStep } from '@poundlock/core/internal/finding';
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
  const isOpen = (word: OrderedWord): boolean =>
    !isInOrder(word, trace) || isLeft(word, trace, error!) || isHandedOn(word, trace, error!);
  return words.find(isOpen) ?? null;
}

function changesOf({ name }: OrderedWord, trace: readonly TraceStep[]): readonly TraceStep[] {
  return trace.filter(({ verb, barriers }) => {
    return verb === 'arrive' && barriers.some((barrier) => barrier.name === name);
  });
}

/** Whether roles wait for a lock that is free: others take it first in this order alone. */
function isLeft(
  word: OrderedWord,
  trace: readonly TraceStep[],
  { rule, standing = [] }: Finding,
): boolean {
  const isFree = word.free?.includes(changesOf(word, trace).length) === true;
  return (
    rule === 'deadlock' &&
    isFree &&
    standing.some(({ barriers }) => barriers?.includes(word.name) === true)
  );
}

/** Rules about what a signal carries. */
const OF_LEVELS: ReadonlySet<string> = new Set(['relaxed-signal', 'scope-too-narrow']);

/**
 * Whether others had a lock between two that touch the same memory: they may hand on what the first
 * one released, even where they release nothing themselves.
 */
function isHandedOn(
  word: OrderedWord,
  trace: readonly TraceStep[],
  { rule, primary, labels }: Finding,
): boolean {
  if (!OF_LEVELS.has(rule) || word.free === undefined) return false;
  const named = [primary, ...labels].flatMap(({ role }) => (role === undefined ? [] : [role]));
  const both = new Set(named.map(blockOf));
  const all = changesOf(word, trace).map(({ agent }) => blockOf(agent));
  const first = all.findIndex((block) => both.has(block));
  const last = all.findLastIndex((block) => both.has(block));
  return all.slice(first, last).some((block) => !both.has(block));
}

function blockOf(role: string): string {
  return role.split('.', 1)[0]!;
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
