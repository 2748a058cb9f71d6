// tier: release
// The skill: its head is what agents read, its commands run, and its program is certified.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { blocksOf } from '../../../../test/docs/snippets.ts';
import { ROOT, shell } from '../golden/golden.ts';

const TEXT = readFileSync(join(ROOT, 'skills', 'poundlock', 'SKILL.md'), 'utf8');
/** What the kernels of the page are. */
const KERNELS = { kernel: 'tile-sum-early-release.sm90a.ptx', fixed: 'tile-sum.sm90a.ptx' };
// The file names the PTX that it is a launch of: here it has other names.
const LAUNCH = JSON.stringify({
  ...(JSON.parse(readFileSync(join(ROOT, 'examples/ptx/launch.json'), 'utf8')) as object),
  ptx: undefined,
});
/** What skills may have: agents refuse others. */
const MAX_DESCRIPTION = 1024;
const MAX_LINES = 500;

/** The exit code of each command of the page. */
const CODES: Readonly<Record<string, number>> = {
  'poundlock check kernel.ptx': 1,
  'poundlock check kernel.ptx --replay w5a1w7t1a2w3': 1,
  'poundlock explain race': 0,
  'poundlock check fixed.ptx --every tiles': 0,
  'poundlock check gemm.ts --sweep stages=1..3': 0,
  'poundlock simulate gemm.ts --sweep stages=1..3': 0,
};

test('the head names the folder, and says when to use it', () => {
  const head = parse(/^---\n([^]*?)\n---\n/.exec(TEXT)?.[1] ?? '') as Record<string, string>;
  assert.deepEqual(Object.keys(head), ['name', 'description']);
  assert.equal(head['name'], 'poundlock');
  assert.match(head['description']!, /Use it for/);
  assert.ok(head['description']!.length <= MAX_DESCRIPTION);
  assert.ok(TEXT.split('\n').length < MAX_LINES);
});

test('every command of the page ends as it says, with its program', async () => {
  const blocks = blocksOf(TEXT);
  const commands = blocks
    .filter(({ language }) => language === 'console')
    .flatMap(({ text }) => text.trim().split('\n'))
    .map((line) => line.replace(/^\$ npx /, ''));
  assert.deepEqual(commands, Object.keys(CODES));
  const program = blocks.find(({ language }) => language === 'ts')!.text;
  // Inside the repository, so that `import … from 'poundlock'` finds it.
  const folder = mkdtempSync(join(import.meta.dirname, 'skill-'));
  try {
    writeFileSync(join(folder, 'gemm.ts'), program);
    for (const [name, example] of Object.entries(KERNELS)) {
      copyFileSync(join(ROOT, 'examples', 'ptx', example), join(folder, `${name}.ptx`));
      writeFileSync(join(folder, `${name}.launch.json`), LAUNCH);
    }
    for (const command of commands) {
      const { code, stderr } = await shell(command, folder);
      assert.equal(code, CODES[command], `${command}: ${stderr}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
