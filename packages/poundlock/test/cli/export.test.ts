import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, poundlock } from './fake-host.ts';
import { RING } from './kernels.ts';

test('an export goes to stdout, and nothing else does', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const { code, stdout, stderr } = await poundlock(cwd, ['export', 'ring.ts', '--format', 'dot']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.match(stdout, /^digraph "ring" \{/);
});

test('-o writes a file, which names a TLA+ module', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const argv = ['export', 'ring.ts', '--format', 'tla', '--set', 'stages=1', '-o', 'two.tla'];
  const { code, stdout, stderr } = await poundlock(cwd, argv);
  assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
  const text = readFileSync(join(cwd, 'two.tla'), 'utf8');
  assert.match(text, /^-+ MODULE two -+\n\(\* Kernel ring, stages=1 tiles=3 /);
});

const BAD: readonly (readonly [what: string, argv: readonly string[], line: RegExp])[] = [
  ['no format', ['ring.ts'], /^poundlock: required option '--format <NAME>' not specified$/],
  ['another format', ['ring.ts', '--format', 'pml'], /'pml' is invalid\. Allowed choices are/],
  ['a missing file', ['gone.ts', '--format', 'dot'], /^poundlock: gone\.ts: no such file$/],
  [
    'a parameter that is not there',
    ['ring.ts', '--format', 'dot', '--set', 'stage=2'],
    /^poundlock: ring\.ts: kernel ring has no parameter stage: did you mean stages\?/,
  ],
  [
    'a bound that is no number',
    ['ring.ts', '--format', 'dot', '--max-steps', 'many'],
    /^poundlock: --max-steps must be a whole number of at least 1, not "many"$/,
  ],
  [
    'a kernel beyond a bound',
    ['ring.ts', '--format', 'dot', '--max-steps', '5'],
    /^poundlock: ring\.ts: kernel ring is too large to export: .* bound max-steps of 5 was reached/,
  ],
  [
    'a place that can not be written',
    ['ring.ts', '--format', 'dot', '-o', 'no/where.dot'],
    /^poundlock: cannot write no\/where\.dot: no such directory$/,
  ],
];

for (const [what, argv, line] of BAD) {
  test(`${what} is one line and exit 2`, async (t) => {
    const cwd = folder(t, { 'ring.ts': RING });
    const { code, stdout, stderr } = await poundlock(cwd, ['export', ...argv]);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    assert.match(stderr.trimEnd(), line);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
  });
}
