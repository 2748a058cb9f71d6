// Every program in the documentation compiles: types are erased when it is run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';
import { pagesUnder } from './pages.ts';
import { snippetsOf } from './snippets.ts';

// The folder is inside the repository, so that `import … from 'poundlock'` finds it.
const folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('programs have no type errors', () => {
  for (const page of ['README.md', ...pagesUnder('docs')]) {
    for (const { text, line } of snippetsOf(join(ROOT, page))) {
      writeFileSync(join(folder, `${page.replaceAll(/[/.]/g, '-')}-${line}.ts`), text);
    }
  }
  const config = { extends: join(ROOT, 'tsconfig.check.json'), include: ['*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const argv = [tsc, '--noEmit', '--noUnusedLocals', 'false', '--project', folder];
  const { stdout } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  assert.equal(stdout, '');
});
