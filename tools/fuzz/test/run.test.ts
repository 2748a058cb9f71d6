// tier: deep
// `npm run fuzz`: counts the programs of a seed, and writes a disagreement as a kernel file.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';

const RUN = join(import.meta.dirname, '..', 'run.mjs');
const MACHINE = new URL('../../../packages/core/src/machine/index.ts', import.meta.url);

function fuzz(t: TestContext, words: readonly string[], preload: readonly string[] = []) {
  const corpus = mkdtempSync(join(tmpdir(), 'poundlock-fuzz-'));
  t.after(() => rmSync(corpus, { recursive: true }));
  const wrong = preload.map((text, at) => {
    const file = join(corpus, `preload-${at}.mjs`);
    writeFileSync(file, text);
    return `--import=${pathToFileURL(file).href}`;
  });
  const args = ['--conditions=poundlock-source', ...wrong, RUN, '--corpus', corpus, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr, corpus };
}

test('a number of programs of one kind, from a seed', (t) => {
  const words = ['--kind', 'performed', '--seed', '3', '--count', '27'];
  const { status, stdout, stderr } = fuzz(t, words);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '27 programs, 27 of them decided, from seed 3: 0 disagreements\n');
});

test('an unknown kind is refused', (t) => {
  const { status, stderr } = fuzz(t, ['--kind', 'user']);
  assert.equal(status, 2);
  assert.match(stderr, /^--kind takes users, .*, not "user"$/m);
});

// M07, wrong: a wait passes one phase too early.
const WRONG = `
import { Machine } from ${JSON.stringify(MACHINE.href)};
const { passes } = Machine.prototype;
Machine.prototype.passes = function (words, barrier, phase) {
  return passes.call(this, words, barrier, phase) || passes.call(this, words, barrier, phase - 1);
};
`;

test('a wrong checker is shown with a kernel that a right one certifies or refutes', (t) => {
  const words = ['--kind', 'users', '--seed', '5', '--count', '10'];
  const { status, stdout, corpus } = fuzz(t, words, [WRONG]);
  assert.equal(status, 1);
  const shown = /^disagreement users: (?<fault>.+)\n {2}poundlock check (?<file>\S+) /m.exec(
    stdout,
  );
  const { fault, file } = shown!.groups as { fault: string; file: string };
  assert.match(fault, /^check says \w+, the independent search \w+ \(.+\)$/);
  assert.ok(file.startsWith(corpus));
  assert.match(readFileSync(file, 'utf8'), /^export default kernelOf\(\{$/m);
});

const RUN_PTX = join(import.meta.dirname, '..', 'ptx.mjs');

test('kernels as built are counted by group', (t) => {
  const words = ['--group', 'launch', '--seed', '3', '--count', '8'];
  const corpus = mkdtempSync(join(tmpdir(), 'poundlock-fuzz-'));
  t.after(() => rmSync(corpus, { recursive: true }));
  const args = ['--conditions=poundlock-source', RUN_PTX, '--corpus', corpus, ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(
    stdout,
    /^seed 3\nlaunch: agreed \d, missed 0, .+; 0 of \d right ones are inconclusive\n$/,
  );
  const wrong = spawnSync(process.execPath, [...args.slice(0, 2), '--group', 'clock'], {
    encoding: 'utf8',
  });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^--group takes launch, .*, not "clock"$/m);
});
