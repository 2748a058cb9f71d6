// What `check` prints of the suspected defects in examples/sm100/suspects, and of their fixes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { expectGolden, goldensIn, namesIn, ROOT } from './golden.ts';
import { command } from './in-process.ts';

const PAGE = readFileSync(join(ROOT, 'docs', 'explanation', 'suspects.md'), 'utf8');

/** The rule of the first finding, and the parameters with which the same text is certified. */
const SUSPECTS: Readonly<Record<string, { readonly rule: string; readonly fix: string }>> = {
  'dropped-advance': { rule: 'deadlock', fix: '--set releases=true' },
  'early-return': { rule: 'divergent-exit', fix: '--set returns=false' },
  'epilogue-release': { rule: 'deadlock', fix: '--set arrives=true' },
  'grouped-drain': { rule: 'deadlock', fix: '--set drain=producer-state' },
  'grouped-throttle': { rule: 'deadlock', fix: '--set loadSignals=true' },
  'load-order': { rule: 'false-block', fix: '--set loadOrder=two-way' },
  'sfb-war': { rule: 'race', fix: '--set frees=commit' },
};

suite('suspects', () => {
  for (const [name, { rule, fix }] of Object.entries(SUSPECTS)) {
    const file = `examples/sm100/suspects/${name}.ts`;

    test(`${name} is found as ${rule}`, async () => {
      const { code, stdout, stderr } = await command(`poundlock check ${file}`);
      assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
      expectGolden(`suspects/${name}`, stdout);
      assert.match(stdout, new RegExp(`^error\\[${rule}\\]`));
      const [, steps] = /\): \S+ after (\d+ steps?)/.exec(stdout) ?? [];
      assert.ok(
        PAGE.includes(`/${name}.ts) | \`${rule}\` | ${steps}`),
        `docs/explanation/suspects.md: ${steps}`,
      );
    });

    test(`${name} is certified with ${fix}`, async () => {
      const { code, stdout } = await command(`poundlock check ${file} ${fix}`);
      assert.match(stdout, /^certified {2}/);
      assert.equal(code, 0);
    });
  }
});

test('every suspect has its rule and its golden file, and no golden is left over', () => {
  assert.deepEqual(Object.keys(SUSPECTS), namesIn('examples/sm100/suspects'));
  assert.deepEqual(goldensIn('suspects'), namesIn('examples/sm100/suspects'));
});
