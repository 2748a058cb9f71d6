// tier: release — workflows of this repository fit the schema of GitHub, and call scripts there are.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '..', '..');

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
  readonly uses?: string;
}

const WORKFLOWS = globSync(join(ROOT, '.github', 'workflows', '*.yml')).map((file) => {
  const text = readFileSync(file, 'utf8');
  return { name: basename(file, '.yml'), text, jobs: parse(text).jobs as Record<string, Job> };
});
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

function commandsOf(name: string): string[] {
  const { jobs } = WORKFLOWS.find((each) => each.name === name) ?? assert.fail(name);
  return Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run = [] }) => run));
}

for (const { name, text } of WORKFLOWS) {
  test(`${name}: is valid, and its scripts are in package.json`, () => {
    assert.deepEqual(validateWorkflow(text).errors, []);
    const called = commandsOf(name).flatMap((run) =>
      [...run.matchAll(/npm run ([\w:]+)/g)].map(([, script = '']) => script),
    );
    for (const script of called) assert.ok(script in scripts, script);
  });
}

test('each tier of tests has its job', () => {
  const commands = commandsOf('test');
  for (const command of ['npm test', 'npm run test:deep', 'npm run test:release'])
    assert.ok(commands.includes(command), command);
});

test('a version tag publishes every package with its provenance, after the tests', () => {
  const { jobs } = WORKFLOWS.find(({ name }) => name === 'publish') ?? assert.fail();
  assert.equal(jobs['test']?.uses, './.github/workflows/test.yml');
  assert.deepEqual(jobs['publish']?.permissions, { contents: 'write', 'id-token': 'write' });
  assert.match(commandsOf('publish').join('\n'), /npm publish "\$file" --provenance/);
});
