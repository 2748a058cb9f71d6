// tier: deep
// Faults are injected into every kernel of examples/sm100, and found.
// bench/results/sm100-mutants.md has all.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import { expectPage } from '../../../poundlock/test/generated-page.ts';
import { KERNELS } from './all-kernels.ts';
import { pageOf } from './mutation/page.ts';
import { isFound, mutantsOf, verdictOf, type Verdict } from './mutation/verdict.ts';

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

/** Mutants of each case that are tried; `MUTANTS=all` tries all, and takes some ten minutes. */
const { MUTANTS = '3' } = process.env;
const RUNS_ALL = MUTANTS === 'all';
const SAMPLE = RUNS_ALL ? 12 : Number(MUTANTS);
const PAGE = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'bench',
  'results',
  'sm100-mutants.md',
);

const titleOf = (name: string, { ctaGroup }: Params): string => {
  return `${name}, ${ctaGroup === 2 ? 'a pair of CTAs' : 'one CTA'}`;
};

/** What the page says of one case. */
function sectionOf(title: string): string {
  const page = readFileSync(PAGE, 'utf8');
  const [, rest = ''] = page.split(`\n## ${title}\n`);
  return rest.split('\n## ')[0]!;
}

/** By case, in the order of CASES. */
const results = new Map<string, Map<string, Verdict>>(
  CASES.map(([name, params]) => [titleOf(name, params), new Map()]),
);

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
        if (!isFound(verdict)) t.diagnostic(`${mutant}: ${verdict}`);
        if (RUNS_ALL) continue;
        const isListed = section.includes(`\`${mutant}\``);
        assert.equal(isListed, !isFound(verdict), `${mutant}: ${verdict}`);
      }
      results.set(title, verdicts);
    });
  }
});

test('bench/results/sm100-mutants.md has every case', { skip: !RUNS_ALL }, () => {
  expectPage('bench/results/sm100-mutants.md', pageOf(results));
});
