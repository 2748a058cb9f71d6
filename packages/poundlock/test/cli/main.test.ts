import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALL_RULES, ASSUMPTION_NAMES } from '../../../core/src/finding/index.ts';
import { folder, poundlock } from './fake-host.ts';
import { KEEPER, RING } from './kernels.ts';

const PACKAGE = join(import.meta.dirname, '..', '..');
const BIN = join(PACKAGE, 'bin', 'poundlock.js');

function spawned(cwd: string, ...argv: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...argv], {
    cwd,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

test('without a verb the help goes to stderr, exit 2', async (t) => {
  const { code, stdout, stderr } = await poundlock(folder(t), []);
  assert.match(stderr, /^Usage: poundlock /);
  assert.equal(stdout, '');
  assert.equal(code, 2);
});

test('help lists the verbs that there are, with examples', async (t) => {
  const { code, stdout } = await poundlock(folder(t), ['--help']);
  assert.match(stdout, /\n {2}check .*\n[^]*\n {2}explain /);
  assert.match(stdout, /\nExamples:\n {2}poundlock check /);
  assert.equal(code, 0);
  const check = await poundlock(folder(t), ['check', '--help']);
  assert.match(check.stdout, /\nExamples:\n {2}poundlock check gemm\.ts /);
  assert.match(check.stdout, /0 certified, 1 counterexample, 2 could not run, 3 inconclusive/);
});

test('--version is the version of the package', async (t) => {
  const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const { code, stdout } = await poundlock(folder(t), ['--version']);
  assert.equal(stdout, `${version}\n`);
  assert.equal(code, 0);
});

test('every rule explains itself', async (t) => {
  const cwd = folder(t);
  const list = await poundlock(cwd, ['explain']);
  for (const rule of ALL_RULES) {
    assert.match(list.stdout, new RegExp(`^${rule} {2,}\\S`, 'm'));
    const { code, stdout } = await poundlock(cwd, ['explain', rule]);
    assert.match(stdout, new RegExp(`^(error|warning)\\[${rule}\\]: `));
    assert.equal(code, 0);
  }
  const copied = await poundlock(cwd, ['explain', 'error[deadlock]']);
  assert.equal(copied.stdout, (await poundlock(cwd, ['explain', 'deadlock'])).stdout);
});

test('explain finds rules and assumptions in lower and upper case', async (t) => {
  const cwd = folder(t);
  for (const name of [...ALL_RULES, ...ASSUMPTION_NAMES]) {
    const { stdout } = await poundlock(cwd, ['explain', name]);
    for (const word of [name.toLowerCase(), name.toUpperCase(), `[${name.toLowerCase()}]`]) {
      const other = await poundlock(cwd, ['explain', word]);
      assert.deepEqual([other.code, other.stdout], [0, stdout], word);
    }
  }
});

test('explain shows both programs of the page, and proposes a rule for a wrong word', async (t) => {
  const cwd = folder(t);
  const page = await poundlock(cwd, ['explain', 'release-order']);
  for (const heading of ['rejected', 'fixed', 'rejected by lint', 'fixed for lint']) {
    assert.match(page.stdout, new RegExp(`\\n\\n${heading}\\n\\n {3}`));
  }
  const { code, stderr } = await poundlock(cwd, ['explain', 'dedlock']);
  assert.match(stderr, /no message has the word dedlock: did you mean deadlock\?/);
  assert.equal(code, 2);
});

test('the program runs in a folder without packages, and its exit code is the verdict', (t) => {
  const cwd = folder(t, { 'ring.ts': RING, 'keeper.ts': KEEPER });
  assert.deepEqual(spawned(cwd, 'check', 'ring.ts').stderr, '');
  assert.equal(spawned(cwd, 'check', 'ring.ts').code, 0);
  assert.equal(spawned(cwd, 'check', 'keeper.ts').code, 1);
  assert.equal(spawned(cwd, 'check', 'gone.ts').code, 2);
});

test('the nearest package.json may be of any type', (t) => {
  const cwd = folder(t, {
    'a/package.json': '{}',
    'a/ring.ts': RING,
    'b/package.json': '{"type":"commonjs"}',
    'b/ring.ts': RING,
    'c/node_modules/poundlock/index.js': 'export const wrong = 1;',
    'c/node_modules/poundlock/package.json':
      '{"name":"poundlock","type":"module","main":"index.js"}',
    'c/ring.ts': RING,
  });
  for (const file of ['a/ring.ts', 'b/ring.ts', 'c/ring.ts']) {
    const { code, stderr } = spawned(cwd, 'check', file);
    assert.deepEqual([file, code, stderr], [file, 0, '']);
  }
});

test('a module that never finishes loading is an error, not a success', (t) => {
  const cwd = folder(t, { 'k.ts': 'await new Promise(() => {});\nexport default 1;' });
  const { code, stderr } = spawned(cwd, 'check', 'k.ts');
  assert.equal(stderr, 'poundlock: k.ts: never finishes loading\n');
  assert.equal(code, 2);
});

test('a reader that goes away is no error', (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const command = `"${process.execPath}" "${BIN}" explain | head -n 1`;
  const { stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  assert.equal(stderr, '');
});
