// Faults are injected into every kernel of examples/sm100, and found. docs/sm100-mutants.md has all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { ParameterValue } from '#src/finding/index';
import { expectPage } from '../generated-page.ts';
import { KERNELS } from './all-kernels.ts';
import { reasonFor } from './mutation/reasons.ts';
import { mutantsOf, verdictOf, type Verdict } from './mutation/verdict.ts';

type Params = Record<string, ParameterValue>;

/** Each kernel, and pairs of CTAs for the two that differ most. */
const CASES: readonly (readonly [kernel: string, params: Params])[] = [
  ['default', { ctaGroup: 1 }],
  ['default', { ctaGroup: 2 }],
  ['block-scaled', { ctaGroup: 1 }],
  ['blockwise-fp8', { ctaGroup: 1 }],
  ['blockwise-fp8', { ctaGroup: 2 }],
  ['blockwise-fp8-linear', { ctaGroup: 1 }],
  ['conv2d', { ctaGroup: 1 }],
  ['splitk', { ctaGroup: 1 }],
  ['grouped-1sm', { ctaGroup: 1, clcStages: 0 }],
  ['grouped-2sm', { ctaGroup: 2 }],
];

/** Mutants of each case that run every time; `MUTANTS=all` runs all, and takes some ten minutes. */
const SAMPLE = 12;
const RUNS_ALL = process.env['MUTANTS'] === 'all';
const PAGE = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'sm100-mutants.md');

const titleOf = (name: string, { ctaGroup }: Params): string => {
  return `${name}, ${ctaGroup === 2 ? 'a pair of CTAs' : 'one CTA'}`;
};

/** What the page says of one case. */
function sectionOf(title: string): string {
  const page = readFileSync(PAGE, 'utf8');
  const [, rest = ''] = page.split(`\n## ${title}\n`);
  return rest.split('\n## ')[0]!;
}

const results = new Map<string, Map<string, Verdict>>();

suite('mutants', { concurrency: 2 }, () => {
  for (const [name, params] of CASES) {
    const title = titleOf(name, params);
    const { kernel } = KERNELS[name]!;

    test(`${title}: ${RUNS_ALL ? 'all' : `${SAMPLE} of them`}`, async (t) => {
      const all = [...mutantsOf(kernel, params)];
      assert.ok(all.length >= SAMPLE);
      const stride = RUNS_ALL ? 1 : Math.floor(all.length / SAMPLE);
      const chosen = all.filter((_, at) => at % stride === 0);
      const verdicts = new Map<string, Verdict>();
      const section = RUNS_ALL ? '' : sectionOf(title);
      for (const [mutant, sites] of chosen) {
        const verdict = await verdictOf(kernel, params, sites);
        verdicts.set(mutant, verdict);
        const isFound = verdict !== 'survives' && verdict !== 'undecided';
        if (!isFound) t.diagnostic(`${mutant}: ${verdict}`);
        if (RUNS_ALL) continue;
        const isListed = section.includes(`\`${mutant}\``);
        assert.equal(isListed, !isFound, `${mutant}: ${verdict}`);
      }
      results.set(title, verdicts);
    });
  }
});

const HEAD = `# Mutants of the structured kernels

Every kernel of [examples/sm100](../examples/sm100) with one fault in it: for each role, and each kind of
thing that it does to one ring, pool or barrier, one signal, step, wait, count, byte expectation, drain
or tear-down step is dropped, doubled, moved, or aimed or counted wrongly, in the middle of the run. The
fault is injected at the n-th operation of the role and the role runs anew, so that nothing is baked in.
A mutant is found if \`check\` has a finding at one of two sizes: few stages and many k steps, or many
stages and one k step, so that warps run ahead; six tiles at both.

A *survivor* is certified, and so has no schedule that goes wrong; its reason is given. *Undecided* are
mutants that no certificate, no built schedule and no search of 100,000 states decided: they are not
certified. A test makes this page (\`MUTANTS=all UPDATE_DOCS=1\`), and tries ${SAMPLE} mutants of each case
every time.
`;

function pageSection(title: string, verdicts: ReadonlyMap<string, Verdict>): string {
  const by = new Map<string, string[]>();
  for (const [mutant, verdict] of verdicts) by.set(verdict, [...(by.get(verdict) ?? []), mutant]);
  const survivors = by.get('survives') ?? [];
  const undecided = by.get('undecided') ?? [];
  by.delete('survives');
  by.delete('undecided');
  const found = [...by].toSorted(([, a], [, b]) => b.length - a.length);
  const rules = found.map(([rule, mutants]) => `\`${rule}\` ${mutants.length}`).join(' · ');
  const count = verdicts.size - survivors.length - undecided.length;
  const reasons = new Map<string, string[]>();
  for (const mutant of survivors) {
    const why = reasonFor(mutant);
    assert.ok(why !== undefined, `nobody says why this survives: ${title}, ${mutant}`);
    reasons.set(why, [...(reasons.get(why) ?? []), mutant]);
  }
  const list = (mutants: readonly string[]): string => {
    return mutants.map((mutant) => `  - \`${mutant}\`\n`).join('');
  };
  const told = [...reasons].map(([why, mutants]) => `- survive: ${why}\n${list(mutants)}`).join('');
  const open = undecided.length === 0 ? '' : `- undecided:\n${list(undecided)}`;
  return `\n## ${title}\n\n${verdicts.size} mutants, ${count} found: ${rules}\n\n${told}${open}`;
}

test('docs/sm100-mutants.md has every case', { skip: !RUNS_ALL }, () => {
  const sections = CASES.map(([name, params]) => {
    const title = titleOf(name, params);
    return pageSection(title, results.get(title)!);
  });
  expectPage('sm100-mutants.md', HEAD + sections.join(''));
});
