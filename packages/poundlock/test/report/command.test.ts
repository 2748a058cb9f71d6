import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCommand, shellWord } from '#src/report/command';

test('a replay command names the file, the parameters and the token', () => {
  assert.equal(
    checkCommand('examples/gemm.ts', { stages: 1, fast: true }, 'l3t1.2m3'),
    'poundlock check examples/gemm.ts --set stages=1 --set fast=true --replay l3t1.2m3',
  );
});

test('what the shell would change is quoted', () => {
  assert.equal(shellWord("it's here"), `'it'\\''s here'`);
  assert.equal(shellWord('[role]3'), `'[role]3'`);
  assert.equal(shellWord(''), `''`);
  assert.equal(
    checkCommand('my kernels/a.ts', { label: 'a b' }, '[x]3'),
    `poundlock check 'my kernels/a.ts' --set 'label=a b' --replay '[x]3'`,
  );
});

test('a file that looks like an option is separated', () => {
  assert.equal(checkCommand('-gemm.ts', {}), 'poundlock check ./-gemm.ts');
});
