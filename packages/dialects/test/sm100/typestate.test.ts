// tier: deep
// The 22 ordering rules: each kept and certified, each broken and found;
// docs/reference/typestate.md has them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { check } from 'poundlock/check';
import type { Kernel } from 'poundlock';
import { expectPage } from '../../../poundlock/test/generated-page.ts';
import kSteps from '../../../../examples/sm100/typestate/k-steps.ts';
import life from '../../../../examples/sm100/typestate/life.ts';
import schedule from '../../../../examples/sm100/typestate/schedule.ts';
import tiles from '../../../../examples/sm100/typestate/tiles.ts';

type Row = readonly [rule: string, says: string, program: Kernel, finding: string];

const ROWS: readonly Row[] = [
  [
    'T1',
    'barriers are initialized once, fenced and synced over the cluster before their first use',
    life,
    'uninitialised-barrier',
  ],
  ['T2', 'tensor memory is allocated, then published, then its address is read', life, 'race'],
  ['T3', 'tiles are accessed between the acquire and the signal', tiles, 'race'],
  ['T4', 'bytes are expected once for each fill, and as many as arrive', tiles, 'over-arrival'],
  ['T5', 'one signal for each acquire and arriver', tiles, 'false-block'],
  ['T6', 'one step for each acquire', tiles, 'release-order'],
  ['T7', 'a stage is freed by a commit after the last MMA that reads it', tiles, 'race'],
  ['T8', 'an accumulator is committed after its last MMA', tiles, 'race'],
  ['T9', 'an accumulator is freed when its last fragments are in registers', tiles, 'race'],
  ['T10', 'per-K kernels free the accumulator in every k step', kSteps, 'deadlock'],
  ['T11', 'scales are freed when they are in registers', kSteps, 'race'],
  ['T12', 'one throttle signal for each tile, before the next fetch', schedule, 'deadlock'],
  ['T13', 'every participating warp fetches every response once', schedule, 'deadlock'],
  ['T14', 'a producer drains before its CTA ends', tiles, 'missing-drain'],
  [
    'T15',
    'the epilogue signals once, after its last read, that tensor memory may be freed',
    life,
    'tmem-use-after-free',
  ],
  [
    'T16',
    'the right to allocate is relinquished before the wait for the epilogue',
    life,
    'tmem-not-relinquished',
  ],
  ['T17', 'no role ends before an exit barrier', life, 'divergent-exit'],
  ['T18', 'a try is used for its own stage', tiles, 'stale-try-token'],
  ['T19', 'the odd CTA of a pair issues no MMA and waits for no input', tiles, 'deadlock'],
  ['T20', 'all lanes of a warp step', tiles, 'divergent-step'],
  ['T21', 'all roles of a named barrier agree on its count', life, 'named-barrier-mismatch'],
  ['T22', 'no copy of a pipeline between acquire and release', tiles, 'forked-pipeline'],
];

/** Rules whose violation is a warning: this kernel itself stays correct. */
const WARNINGS = new Set(['T16']);

suite('ordering rules', { concurrency: 2 }, () => {
  for (const program of [life, tiles, kSteps, schedule]) {
    test(`${program.name} keeps all its rules`, async () => {
      const { verdict, findings } = await check(program);
      assert.deepEqual([verdict, findings], ['certified', []]);
      if (program !== tiles) return;
      const params = { ctaGroup: 2, stages: 3, kIters: 4, tiles: 5 };
      assert.equal((await check(program, { params })).verdict, 'certified');
    });
  }

  for (const [rule, says, program, finding] of ROWS) {
    test(`${rule}, ${says}: else ${finding}`, async () => {
      const { verdict, findings } = await check(program, { params: { violates: rule } });
      assert.equal(findings[0]?.rule, finding);
      assert.equal(verdict, WARNINGS.has(rule) ? 'certified' : 'counterexample');
    });
  }
});

const TYPES = readFileSync(join(import.meta.dirname, 'rejected-types.ts'), 'utf8');

const HEAD = `# Ordering rules of the structured kernels

The orders that a structured kernel must follow, and the finding of \`check\` for a kernel that does not. The programs are in
[examples/sm100/typestate](../../examples/sm100/typestate): each is certified, and breaks one rule with \`--set violates=T7\`.
Where the types reject some ways to break a rule, \`test/sm100/rejected-types.ts\` has the lines. Produced by a test
(\`UPDATE_DOCS=1 npm test -- sm100\`).

| rule | order | program | finding if broken | rejected by types |
|---|---|---|---|---|
`;

const TAIL = `
T16 is a warning: the effect of a CTA that does not relinquish on the next one on its SM is outside of one kernel. Breaking a rule in
another way can be another finding: too few expected bytes are \`tx-mismatch\`, a lost signal is \`deadlock\`. [sm100-mutants.md](../../bench/results/sm100-mutants.md) tries many.
`;

test('docs/reference/typestate.md has every rule', () => {
  assert.deepEqual(
    ROWS.map(([rule]) => rule),
    Array.from({ length: 22 }, (_, at) => `T${at + 1}`),
  );
  const rows = ROWS.map(([rule, says, { name }, finding]) => {
    const refused = TYPES.split('\n').filter((line) => line.includes(`@ts-expect-error ${rule}: `));
    const what =
      refused.length === 0 ? '–' : `${refused.length} way${refused.length > 1 ? 's' : ''}`;
    const shown = WARNINGS.has(rule) ? `\`${finding}\`, a warning` : `\`${finding}\``;
    const file = `../../examples/sm100/typestate/${name}.ts`;
    return `| ${rule} | ${says} | [${name}](${file}) | ${shown} | ${what} |\n`;
  });
  expectPage('docs/reference/typestate.md', HEAD + rows.join('') + TAIL);
});
