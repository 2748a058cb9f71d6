// bench/results/sm100-mutants.md: how many mutants of each kernel are found, and why the others are
// not.
import assert from 'node:assert/strict';
import { reasonFor } from './reasons.ts';
import { isFound, type Verdict } from './verdict.ts';

const HEAD = `# Mutants of the structured kernels

Every kernel of [examples/sm100](../../examples/sm100) with one fault in it: for each role, and each kind of
operation on one ring, pool or barrier, one signal, step, wait, count, byte expectation, drain or tear-down step is
dropped, doubled, moved, or has a wrong target or count, in the middle of the run. The fault is injected at the n-th
operation of the role, and the role is executed with it. A mutant is found if \`check\` has a finding, warnings included,
at one of two sizes: few stages and many k steps, or many stages and one k step, so that warps run ahead; six tiles at
both.

A *survivor* is certified, and so has no failing schedule; its reason is listed. *Undecided* mutants were decided by no
certificate, no constructed schedule and no search of 100,000 states: they are not certified.
`;

/** The page, from what was found of every mutant of every case. */
export function pageOf(results: ReadonlyMap<string, ReadonlyMap<string, Verdict>>): string {
  const command = 'MUTANTS=all UPDATE_DOCS=1 npm test -- sm100';
  const source = `\nProduced by \`${command}\`; each run of all tests tries some mutants of each case.\n`;
  return HEAD + source + [...results].map(([title, verdicts]) => section(title, verdicts)).join('');
}

function section(title: string, verdicts: ReadonlyMap<string, Verdict>): string {
  const count = [...verdicts.values()].filter(isFound).length;
  const reasons = new Map<string, string[]>();
  const undecided: string[] = [];
  for (const [mutant, verdict] of verdicts) {
    if (verdict === 'undecided') undecided.push(mutant);
    if (verdict !== 'survives') continue;
    const why = reasonFor(mutant);
    assert.ok(why !== undefined, `no reason for the survival of ${title}, ${mutant}`);
    reasons.set(why, [...(reasons.get(why) ?? []), mutant]);
  }
  const list = (mutants: readonly string[]): string => {
    return mutants.map((mutant) => `  - \`${mutant}\`\n`).join('');
  };
  const survivors = [...reasons]
    .map(([why, mutants]) => `- survive: ${why}\n${list(mutants)}`)
    .join('');
  const open = undecided.length === 0 ? '' : `- undecided:\n${list(undecided)}`;
  return `\n## ${title}\n\n${verdicts.size} mutants, ${count} found.\n\n${survivors}${open}`;
}
