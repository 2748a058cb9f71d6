// tier: release
// The recipes of docs/how-to/ci.md, followed to the letter: the ratchet, and hooks before a commit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { FINE, LEAK, Repository } from './repository.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'how-to', 'ci.md'), 'utf8');

function blocks(language: string): string[] {
  const pattern = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g');
  return [...PAGE.matchAll(pattern)].map(([, text = '']) => text);
}

/** The block of the page that says this. */
function recipe(language: string, saying: string): string {
  return blocks(language).find((text) => text.includes(saying)) ?? assert.fail(saying);
}

const ACCEPT = recipe('sh', 'git add lint-baseline.json');
const HOLD = recipe('sh', 'git diff --exit-code');

test('the ratchet: what is there is known, what is new fails, what is mended must go', () => {
  using repository = new Repository();
  repository.write('src/old.ts', LEAK);
  repository.write('src/mended.ts', LEAK);
  assert.equal(repository.run(ACCEPT).code, 0);
  assert.equal(repository.run(HOLD).code, 0);
  // Lines may move.
  repository.write('src/old.ts', `// moved\n${LEAK}`);
  assert.equal(repository.run(HOLD).code, 0);

  repository.write('src/new.ts', LEAK);
  const { code, out } = repository.run(HOLD);
  assert.equal(code, 1);
  assert.match(out, /src\/new\.ts/);
  assert.doesNotMatch(out, /src\/old\.ts/);

  repository.write('src/new.ts', FINE);
  repository.write('src/mended.ts', FINE);
  const shrunk = repository.run(HOLD);
  assert.equal(shrunk.code, 1);
  assert.match(shrunk.out, /^-.*src\/mended\.ts/m);
  assert.equal(repository.run('git commit -qam smaller').code, 0);
  assert.equal(repository.run(HOLD).code, 0);
});

test('a hook of git lets nothing new in', () => {
  using repository = new Repository();
  repository.write('src/old.ts', LEAK);
  assert.equal(repository.run(ACCEPT).code, 0);
  repository.write('.githooks/pre-commit', recipe('sh', '#!/bin/sh'));
  repository.run('git config core.hooksPath .githooks');
  repository.write('src/a b.ts', LEAK);
  const commit = 'git add -A && git commit -qm try';
  const { code, out, err } = repository.run(commit);
  assert.equal(code, 1, out + err);
  assert.match(out + err, /src\/a b\.ts/);
  repository.write('src/a b.ts', FINE);
  assert.equal(repository.run(commit).code, 0);
  repository.write('notes.md', 'no source');
  assert.equal(repository.run(commit).code, 0);
});

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly require_serial: boolean;
}

test('hooks of pre-commit: the documented ones are there, and their commands run', () => {
  const hooks = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as Hook[];
  const { repos } = parse(recipe('yaml', 'repos:')) as {
    repos: { hooks: { id: string; args?: string[] }[] }[];
  };
  using repository = new Repository();
  repository.write('src/leak.ts', LEAK);
  assert.equal(repository.run(ACCEPT).code, 0);
  for (const { id, args = [] } of repos.flatMap((each) => each.hooks)) {
    const hook = hooks.find((each) => each.id === id) ?? assert.fail(id);
    assert.equal(hook.language, 'system');
    assert.ok(hook.require_serial);
    if (id !== 'poundlock-lint') continue;
    const { code, err } = repository.run(`${hook.entry} ${args.join(' ')} src/leak.ts`);
    assert.equal(code, 0, err);
    assert.equal(repository.run(`${hook.entry} src/leak.ts`).code, 1);
  }
});
