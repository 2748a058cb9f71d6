// tier: deep
// Verbs that need one launch take the one that is inferred, and say which it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folder, poundlock } from '../cli/fake-host.ts';
import { exchange } from './texts.ts';

const NOTICE =
  /kernel\.ptx has no launch file: block 64 \(text\), grid 1 \(tried\), rounds=\d+ \(tried\)/;

test('simulate and advise take the launch that is inferred', async (t) => {
  const path = folder(t, { 'kernel.ptx': exchange() });
  const simulated = await poundlock(path, ['simulate', 'kernel.ptx']);
  assert.equal(simulated.code, 0, simulated.stderr);
  assert.match(simulated.stderr, NOTICE);
  const advised = await poundlock(path, ['advise', 'kernel.ptx']);
  assert.notEqual(advised.code, 2, advised.stderr);
});

test('parts of it are supplied, and a file wins', async (t) => {
  const path = folder(t, { 'kernel.ptx': exchange({ directives: '' }) });
  const words = ['simulate', 'kernel.ptx', '--block', '96', '--param', 'rounds=5'];
  const { code, stdout, stderr } = await poundlock(path, words);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /block 96 \(g\w+\), .*rounds=5 \(g\w+\)/);
  assert.match(stdout, /rounds=5/);
});

test('several kernels are a choice, and what has no kernel is one line', async (t) => {
  const second = exchange()
    .replace(/\.version.*\n.*\n.*\n/, '')
    .replaceAll('exchange', 'other');
  const path = folder(t, { 'two.ptx': exchange() + second, 'none.txt': 'nothing' });
  const several = await poundlock(path, ['simulate', 'two.ptx']);
  assert.equal(several.code, 2);
  assert.match(several.stderr, /choose one of exchange, other with --entry/);
  const none = await poundlock(path, ['simulate', 'none.txt']);
  assert.equal(none.code, 2);
});

test('a kernel that calls what is not in the text does not stop the others', async (t) => {
  const head = '.extern .func elsewhere();\n.visible .entry calls() { call elsewhere, (); ret; }\n';
  const text = exchange().replace('.visible', `${head}.visible`);
  const path = folder(t, { 'two.ptx': text });
  const { code, stdout, stderr } = await poundlock(path, ['check', 'two.ptx']);
  assert.equal(code, 2);
  assert.match(stderr, /the function 'elsewhere' is not part of the text/);
  assert.match(stdout, /^certified +exchange/m);
});
