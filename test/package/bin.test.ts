// tier: release
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';

const BIN = join(import.meta.dirname, '..', '..', 'packages', 'poundlock', 'bin');
const folder = mkdtempSync(join(tmpdir(), 'poundlock-bin-'));
const home = join(folder, 'node_modules', 'poundlock');

// Started with `-r`, it makes this Node look old to the program; a child process is not affected.
const oldNode = join(folder, 'old-node.cjs');

beforeEach(() => {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  cpSync(BIN, join(home, 'bin'), { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    oldNode,
    `Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });`,
  );
});
after(() => rmSync(folder, { recursive: true, force: true }));

function writeMain(body: string): void {
  mkdirSync(join(home, 'lib', 'cli'), { recursive: true });
  writeFileSync(
    join(home, 'lib', 'cli', 'main.js'),
    `export async function runProcess(argv) { ${body} }`,
  );
}

function writeInstalledNode(version: string): void {
  const node = join(folder, 'node_modules', 'node');
  mkdirSync(join(node, 'bin'), { recursive: true });
  writeFileSync(join(node, 'package.json'), JSON.stringify({ name: 'node', version }));
  const binary = join(node, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  cpSync(process.execPath, binary);
}

function start(nodeOptions: string[], ...args: string[]) {
  const bin = join(home, 'bin', 'poundlock.js');
  return spawnSync(process.execPath, [...nodeOptions, bin, ...args], { encoding: 'utf8' });
}

test('the program gets the arguments and sets the exit code', () => {
  writeMain('console.log(argv.join()); process.exitCode = 3;');
  const { status, stdout, stderr } = start([], 'check', 'a b.ts');
  assert.deepEqual([status, stdout, stderr], [3, 'check,a b.ts\n', '']);
});

test('an error of the program is shown and exits with 2', () => {
  writeMain(`throw new Error('our bug');`);
  const { status, stderr } = start([]);
  assert.equal(status, 2);
  assert.match(stderr, /^poundlock: Error: our bug\n {4}at /);
});

test('an error while loading exits with 2 as well, not with the 1 of a finding', () => {
  writeMain(`} throw new Error('our bug'); {`);
  const { status, stderr } = start([]);
  assert.equal(status, 2);
  assert.match(stderr, /^poundlock: Error: our bug\n/);
});

test('without lib/ one line says so', () => {
  const { status, stderr } = start([]);
  assert.equal(status, 2);
  assert.match(stderr, /^poundlock: lib\/ is not built: run `npm run build` in .*\n$/);
});

test('on an old Node, a line names the version that is needed, and one brings it', () => {
  writeMain('');
  const { status, stdout, stderr } = start(['-r', oldNode], 'check', 'my kernel.cu');
  assert.equal(status, 2);
  assert.equal(stdout, '');
  const [needs, brings] = stderr.split('\n');
  assert.equal(needs, 'poundlock: needs Node 24 or newer, this is 18.20.0');
  const command = 'npx -p node@24 -p poundlock poundlock check "my kernel.cu"';
  assert.equal(brings, `   npm has one: ${command}`);
});

test('an old Node hands over to the one installed beside the package', () => {
  writeMain(
    'console.log(parseInt(process.versions.node) >= 24, argv.join()); process.exitCode = 1;',
  );
  writeInstalledNode('24.0.0');
  const { status, stdout, stderr } = start(['-r', oldNode], 'check', 'a b.ts');
  assert.deepEqual([status, stdout, stderr], [1, 'true check,a b.ts\n', '']);
});

test('an installed Node that is old as well is of no use', () => {
  writeMain('');
  writeInstalledNode('22.12.0');
  const { status, stderr } = start(['-r', oldNode]);
  assert.equal(status, 2);
  assert.match(stderr, /needs Node 24 or newer/);
});

test('the bundle is started for kernels as built alone: nothing of a user imports its copies', () => {
  writeMain(`console.log('modules');`);
  mkdirSync(join(home, 'lib', 'bundle'));
  writeFileSync(
    join(home, 'lib', 'bundle', 'main.js'),
    `export async function runProcess() { console.log('bundle'); }`,
  );
  const started = (...words: string[]) => start([], ...words).stdout.trim();
  assert.equal(started('check', 'a.ptx', '--launch', 'a.json', '--every', 'n'), 'bundle');
  assert.equal(started('advise', 'a.json'), 'bundle');
  const others = [
    ['check', 'a.ptx', 'b.ts'],
    ['check', 'a.ptx', '--reporter=./mine.mjs'],
    ['check', 'a.ptx', folder],
    ['check', 'a.ptx', 'kernels/*'],
    ['check', folder],
    ['sweep', 'a.ptx'],
    ['check'],
    [],
  ];
  for (const words of others) assert.equal(started(...words), 'modules', words.join(' '));
});

test('the file parses on any Node', () => {
  const text = readFileSync(join(BIN, 'poundlock.js'), 'utf8').replace(/\/\/.*/g, '');
  assert.doesNotMatch(
    text,
    /=>|`[^`]*\$\{|\b(const|let|class|async|await|import)\b|\?\?|\?\.|\.\.\./,
  );
});
