// Every command in the documentation is run, and prints what the documentation shows.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { masked, ROOT } from '../../packages/poundlock/test/golden/golden.ts';
import { command as printedBy } from '../../packages/poundlock/test/golden/in-process.ts';
import { pagesUnder, textOf } from './pages.ts';
import { blocksOf, type Block } from './snippets.ts';

interface Shown {
  readonly command: string;
  /** What the page shows below the command. */
  readonly printed: string;
}

/** The command that a `console` block starts with, and its output; null where it runs nothing. */
function shownIn({ language, text }: Block): Shown | null {
  const [, command, printed = ''] = /^\$ (?:npx )?(poundlock .*)\n([\s\S]*)$/.exec(text) ?? [];
  return language === 'console' && command !== undefined ? { command, printed } : null;
}

// The folder is inside the repository, so that `import … from 'poundlock'` finds it.
let folder = '';
before(() => {
  folder = mkdtempSync(join(import.meta.dirname, 'snippet-'));
  // A package of its own: what is in `test/` of this one is a test.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Writes what the command of a block prints now into its page. */
function update(page: string, index: number, now: string): void {
  const lines = textOf(page).split('\n');
  const { line, text } = blocksOf(lines.join('\n'))[index]!;
  const shown = text.split('\n').length - 2;
  lines.splice(line + 1, shown, ...now.trimEnd().split('\n'));
  writeFileSync(join(ROOT, page), lines.join('\n'));
}

/** Commands see the files that stand above them on the page; without one, the repository. */
for (const page of ['README.md', ...pagesUnder('docs')]) {
  const blocks = blocksOf(textOf(page));
  const files = blocks.filter(({ file }) => file !== '');
  for (const [index, block] of blocks.entries()) {
    const shown = shownIn(block);
    if (shown === null) continue;
    test(`${page}: ${shown.command}`, async () => {
      const above = files.filter(({ line }) => line < block.line);
      // A module is loaded once: another folder for each text that a file has on the page.
      const project = join(folder, page.replaceAll('/', '-'), String(above.length));
      mkdirSync(project, { recursive: true });
      for (const { file, text } of above) writeFileSync(join(project, file), text);
      const { stdout, stderr } = await printedBy(shown.command, {
        cwd: files.length > 0 ? project : ROOT,
        isReal: page === 'README.md',
      });
      const now = stderr + stdout;
      if (masked(now) === masked(shown.printed)) return;
      if (process.env['UPDATE_GOLDEN'] === '1') return update(page, index, now);
      assert.equal(masked(now), masked(shown.printed), 'UPDATE_GOLDEN=1 rewrites it');
    });
  }
}

test('a command that shows what it prints is found', () => {
  const blocks = blocksOf(
    'a\n```console\n$ poundlock x\none\ntwo\n```\nb\n```sh\npoundlock y\n```',
  );
  assert.deepEqual(blocks.map(shownIn), [{ command: 'poundlock x', printed: 'one\ntwo\n' }, null]);
});
