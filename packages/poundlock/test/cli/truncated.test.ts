// Certificates and replay tokens that were cut: one line, and never a success.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MAX_TOKEN_STEPS } from '../../../core/src/replay/index.ts';
import { folder, poundlock } from './fake-host.ts';
import { RING } from './kernels.ts';

/** Every length of a text up to a number, then some between. */
function* lengths(text: string, all: number): Generator<number> {
  for (let length = 0; length < Math.min(all, text.length); length++) yield length;
  for (let part = 1; part < 24; part++) yield Math.floor((text.length * part) / 24);
  yield text.length - 2;
}

test('a certificate that was cut anywhere is refused in one line', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const written = await poundlock(cwd, ['check', 'ring.ts', '--certificate', 'ring.json']);
  assert.equal(written.code, 0);
  const text = readFileSync(join(cwd, 'ring.json'), 'utf8');
  for (const length of lengths(text, 20)) {
    writeFileSync(join(cwd, 'cut.json'), text.slice(0, length));
    const { code, stdout, stderr } = await poundlock(cwd, ['check', '--verify', 'cut.json']);
    assert.match(stderr, /^poundlock: cut\.json [^\n]*\n$/, `at ${length}`);
    assert.doesNotMatch(stderr, /internal error/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, `at ${length}`);
  }
});

test('a certificate of which any field is missing is refused in one line', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  await poundlock(cwd, ['check', 'ring.ts', '--certificate', 'ring.json']);
  const document = JSON.parse(readFileSync(join(cwd, 'ring.json'), 'utf8')) as object;
  for (const name of Object.keys(document)) {
    const rest = Object.entries(document).filter(([one]) => one !== name);
    writeFileSync(join(cwd, 'less.json'), JSON.stringify(Object.fromEntries(rest)));
    const { code, stderr } = await poundlock(cwd, ['check', '--verify', 'less.json']);
    assert.match(stderr, /^poundlock: less\.json [^\n]*\n$/, name);
    assert.equal(code, 2, name);
  }
});

const BAD_TOKENS = [
  '(',
  '(l1',
  '(l1)',
  'l1.',
  'l1(',
  '(l1)4.',
  '[load',
  '[',
  ')',
  '.',
  'l1)',
  '  ',
];

test('a replay token that was cut is refused in one line', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  for (const token of [...BAD_TOKENS, `l${MAX_TOKEN_STEPS}0`, `(l1)${MAX_TOKEN_STEPS}0`]) {
    const { code, stderr } = await poundlock(cwd, ['check', 'ring.ts', '--replay', token]);
    assert.match(stderr, /^poundlock: ring\.ts: [^\n]*\n$/, token);
    assert.doesNotMatch(stderr, /internal error/, token);
    assert.equal(code, 2, token);
  }
});

test('the start of a schedule is a schedule that shows nothing, and no success', async (t) => {
  const cwd = folder(t, { 'ring.ts': RING });
  const { stdout } = await poundlock(cwd, ['check', 'ring.ts', '--example', '--json']);
  const { results } = JSON.parse(stdout) as { results: { example: { replayToken: string } }[] };
  const token = results[0]!.example.replayToken;
  for (let length = 1; length < token.length; length++) {
    const cut = token.slice(0, length);
    const { code, stderr } = await poundlock(cwd, ['check', 'ring.ts', '--replay', cut]);
    assert.ok(code === 2 || code === 3, `${cut}: ${code}`);
    if (code === 2) assert.match(stderr, /^poundlock: ring\.ts: [^\n]*\n$/, cut);
  }
});
