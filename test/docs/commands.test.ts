// Every command in the documentation is run, and prints what the documentation shows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { masked, ROOT, shell } from '../../packages/poundlock/test/golden/golden.ts';

/** A block of a Markdown file that begins with a command, and what stands below it. */
interface Shown {
  readonly command: string;
  readonly printed: string;
}

const BLOCK = /```console\n\$ (?<command>poundlock .*)\n(?<printed>[\s\S]*?)```/g;

function shownIn(text: string): Shown[] {
  return [...text.matchAll(BLOCK)].map(({ groups }) => groups as unknown as Shown);
}

for (const name of readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'))) {
  const path = join(ROOT, 'docs', name);
  for (const { command, printed } of shownIn(readFileSync(path, 'utf8'))) {
    test(`docs/${name}: ${command}`, async () => {
      const { stdout, stderr } = await shell(command);
      const now = masked(stderr + stdout);
      if (process.env['UPDATE_GOLDEN'] === '1') {
        const text = readFileSync(path, 'utf8');
        const block = (body: string) => `\`\`\`console\n$ ${command}\n${body}\`\`\``;
        return writeFileSync(
          path,
          text.replace(block(printed), () => block(now)),
        );
      }
      assert.equal(now, printed, 'UPDATE_GOLDEN=1 rewrites it');
    });
  }
}

test('a command that shows what it prints is found', () => {
  const text = 'a\n```console\n$ poundlock x\none\ntwo\n```\nb';
  assert.deepEqual(
    shownIn(text).map(({ command, printed }) => [command, printed]),
    [['poundlock x', 'one\ntwo\n']],
  );
});
