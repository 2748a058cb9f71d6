import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRulePage } from '../../poundlock/src/cli/rule-pages.ts';
import { LINT_RULES } from '../../core/src/finding/index.ts';
import { lintFiles } from './programs.ts';

const REPOSITORY = join(import.meta.dirname, '..', '..', '..');

// A project that has this package and the types of Node installed.
const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-lint-pages-'));
mkdirSync(join(FOLDER, 'node_modules', '@types'), { recursive: true });
const link = (name: string, to: string): void =>
  symlinkSync(join(REPOSITORY, to), join(FOLDER, 'node_modules', name), 'junction');
link('poundlock', 'packages/poundlock');
link('@types/node', 'node_modules/@types/node');
link('undici-types', 'node_modules/undici-types');
writeFileSync(
  join(FOLDER, 'tsconfig.json'),
  JSON.stringify({
    compilerOptions: { module: 'nodenext', target: 'esnext', strict: true, types: ['node'] },
  }),
);
after(() => rmSync(FOLDER, { recursive: true, force: true }));

function rulesIn(name: string, text: string): string[] {
  const file = join(FOLDER, `${name}.ts`);
  writeFileSync(file, text);
  return lintFiles([file]).map(({ rule }) => rule);
}

for (const rule of LINT_RULES) {
  const page = readRulePage(rule);
  const { rejected, fixed } = page.lint ?? page;
  test(`${rule}: the rejected program has this finding and no other`, () => {
    assert.deepEqual([...new Set(rulesIn(`${rule}-rejected`, rejected))], [rule]);
  });

  test(`${rule}: the fixed program is clean`, () => {
    assert.deepEqual(rulesIn(`${rule}-fixed`, fixed), []);
  });
}
