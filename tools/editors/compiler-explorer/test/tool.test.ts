// tier: release
// The tool of Compiler Explorer, called as its `base-tool` calls one: the arguments, the path of the
// source, its folder as working directory, what the user has typed on stdin. No instance is run.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';

const HOME = join(import.meta.dirname, '..');
const TOOL = join(HOME, 'poundlock-tool.mjs');
const PTX = join(HOME, '..', '..', '..', 'examples', 'ptx');
const folder = mkdtempSync(join(tmpdir(), 'poundlock-explorer-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Compiles nothing: the output of the compiler is there. */
function called(name: string, stdin: string, ...words: string[]) {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  copyFileSync(join(PTX, `${name}.cu`), join(cwd, 'example.cu'));
  copyFileSync(join(PTX, `${name}.sm90a.ptx`), join(cwd, 'output.s'));
  const all = [TOOL, ...words, join(cwd, 'example.cu')];
  return spawnSync(process.execPath, all, { cwd, input: stdin, encoding: 'utf8' });
}

const LAUNCH = readFileSync(join(PTX, 'launch.json'), 'utf8');

test('the PTX of the pane is checked with the launch of stdin and the arguments', () => {
  const early = called('tile-sum-early-release', LAUNCH, '--set', 'tiles=8');
  assert.equal(early.status, 1, early.stderr);
  assert.match(early.stdout, /^error\[race\]: warp1 arrives on empty\[0\] before it reads/);
  assert.match(early.stdout, /^counterexample {2}tile_sum \(tiles=8\)/m);
  assert.equal(called('tile-sum', LAUNCH, '--sizes', 'requested').status, 0);
});

test('without a launch or PTX, a line says what is needed', () => {
  const { status, stderr } = called('tile-sum', ' ');
  assert.equal(status, 2);
  assert.match(stderr, /paste the launch into the tool's stdin/);
  const other = called('tile-sum-early-release', LAUNCH, '--help');
  assert.match(other.stdout, /^Usage: poundlock check/);
});

test('the properties name a tool that can be started', () => {
  const text = readFileSync(join(HOME, 'poundlock.properties'), 'utf8');
  const names = [...text.matchAll(/^tools\.poundlock\.(\w+)=/gm)].map(([, name]) => name);
  assert.deepEqual(names, ['name', 'exe', 'type', 'class', 'exclude', 'stdinHint']);
  assert.match(text, /exe=.*\/poundlock-tool\.mjs$/m);
  assert.ok((statSync(TOOL).mode & 0o111) !== 0);
});
