// A kernel as built in all blocks of its grid: one cluster of each class was executed.
import { uniqueAssumptions } from '@poundlock/core/internal/finding';
import type { BlockScope, CheckResult, Finding } from '@poundlock/core/internal/finding';
import type { BlockClass, BlockClasses, KernelReference } from '@poundlock/core/internal/program';
import { placed } from './reference.ts';

/** Checks the kernel as the blocks of a class execute it. */
export type CheckClass = (own: BlockClass) => Promise<CheckResult>;

/** What all classes together are: certified if each is, and wrong if one of them is. */
export async function checkBlocks(
  first: CheckResult,
  { blocks }: KernelReference,
  isOver: () => boolean,
  checkClass: CheckClass,
): Promise<CheckResult> {
  if (blocks === undefined || first.verdict === 'counterexample') return first;
  const found: BlockClass['block'][] = [[0, 0, 0]];
  const all = [...first.scope.assumptions];
  let open = first.verdict === 'inconclusive' ? first.reason! : null;
  let { events } = first.stats;
  const others = blocks.others(isOver);
  for (let each = others.next(); ; each = others.next()) {
    if (each.done === true) {
      if (each.value !== null) open ??= placed(each.value);
      break;
    }
    const { block } = each.value;
    const own = await checkClass(each.value);
    if (own.verdict === 'counterexample') return inBlock(first, own, block, blocks);
    if (own.verdict === 'inconclusive') open ??= `${nameOf(block)}: ${own.reason}`;
    all.push(...own.scope.assumptions);
    events += own.stats.events;
    found.push(block);
  }
  const stats = { ...first.stats, events };
  const scope = { ...first.scope, assumptions: uniqueAssumptions(all) };
  if (open === null)
    return { ...first, stats, scope: { ...scope, blocks: scopeOf(blocks, found) } };
  const none = { ...first.scope, assumptions: [] };
  return { ...first, verdict: 'inconclusive', findings: [], reason: open, scope: none, stats };
}

function nameOf(block: BlockClass['block']): string {
  return `block (${block.join(', ')})`;
}

function scopeOf(
  { total, clusterSize, ranges }: BlockClasses,
  found: readonly BlockClass['block'][],
): BlockScope {
  const all = ranges();
  const classes = found.map((block, index) => ({ block, ranges: all[index] ?? [] }));
  return { total, clusterSize, classes };
}

/** The errors that blocks of another class make. */
function inBlock(
  first: CheckResult,
  found: CheckResult,
  block: BlockClass['block'],
  { total }: BlockClasses,
): CheckResult {
  const standing = first.verdict === 'certified' ? 'is certified' : `is undecided: ${first.reason}`;
  const own = nameOf([0, 0, 0]);
  const note = `it happens in ${nameOf(block)} of ${total}; ${own} itself ${standing}`;
  const findings = found.findings.map(({ replayToken: _token, ...finding }): Finding => ({
    ...finding,
    notes: [...finding.notes, note],
  }));
  return { ...found, kernel: first.kernel, params: first.params, findings };
}
