// tier: release
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { asInstalled } from './as-installed.ts';
import { olderNode } from './older-node.ts';
import { packed } from './packed.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'packages');
const PACKAGE = join(PACKAGES, 'poundlock');
const NPM_TIMEOUT_MS = 120_000;

const KERNEL = `
import { kernel, pipeline, role, tma } from 'poundlock';

export default kernel('installed', { stages: 2, tiles: 3 }, ({ stages, tiles }) => {
  const ring = pipeline('ring', { stages, bytes: 1024 });
  const load = role('load', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using slot = yield* ring.produce();
      tma.load(slot);
    }
    yield* ring.drain();
  });
  const store = role('store', function* () {
    for (let tile = 0; tile < tiles; tile++) {
      using _slot = yield* ring.consume();
    }
  });
  return [load, store];
});
`;

const INSTALLED = new Set([
  '@poundlock/core',
  '@poundlock/dialects',
  '@poundlock/ptx',
  '@poundlock/ring',
  'poundlock',
  'create-poundlock',
]);
/** No module, and the face of a package that is a peer. */
const NOT_INSTALLED = new Set(['./package.json', './lint']);

const MAX_HELP_MODULES = 60;
/** Hundreds without the bundle. */
const MAX_PTX_MODULES = 100;

const NAME_MODULES = `
import { registerHooks } from 'node:module';
registerHooks({
  load(url, context, next) {
    if (!url.startsWith('node:')) console.error('module ' + url);
    return next(url, context);
  },
});
`;

const folder = mkdtempSync(join(tmpdir(), 'poundlock-tarball-'));
const project = join(folder, 'project');

before(() => {
  mkdirSync(project);
  const tarballs = packed().flatMap(({ name, file }) => (INSTALLED.has(name) ? [file] : []));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(project, 'kernel.ts'), KERNEL);
  npm(project, 'install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the tarball holds what runs and nothing else', () => {
  const home = join(project, 'node_modules', 'poundlock');
  for (const path of ['bin/poundlock.js', 'lib/public.js', 'lib/public.d.ts', 'LICENSE']) {
    assert.ok(existsSync(join(home, path)), `${path} is missing`);
  }
  for (const path of ['src', 'dist', 'test', 'tsconfig.json']) {
    assert.ok(!existsSync(join(home, path)), `${path} was packed`);
  }
});

test('the declarations of every subpath find all that they import', () => {
  const types = join(PACKAGES, '..', 'node_modules', '@types');
  const options = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' };
  const compilerOptions = {
    ...options,
    lib: ['ES2024', 'ESNext.Disposable'],
    types: ['node'],
    typeRoots: [types],
  };
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['faces.ts'] }),
  );
  const manifest = readFileSync(join(PACKAGE, 'package.json'), 'utf8');
  const { exports } = JSON.parse(manifest) as { exports: Record<string, unknown> };
  const subpaths = Object.keys(exports).filter((path) => !NOT_INSTALLED.has(path));
  const imports = subpaths.map(
    (path, index) => `export * as face${index} from 'poundlock${path.slice(1)}';\n`,
  );
  writeFileSync(join(project, 'faces.ts'), imports.join(''));
  const tsc = join(PACKAGES, '..', 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, status } = run(process.execPath, [tsc, '-p', '.'], project);
  assert.equal(stdout, '');
  assert.equal(status, 0);
});

test('the installed command checks a kernel in another folder', () => {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const words = ['poundlock', 'check', 'kernel.ts', '--json'];
  const result = run('npx', words, project, '', path);
  assert.equal(result.status, 0, result.stderr);
  assertCertified(result.stdout);
});

test('the installed command checks a kernel as built, from few files', (t) => {
  const ptx = join(PACKAGES, '..', 'examples', 'ptx');
  for (const name of ['tile-sum.sm90a.ptx', 'launch.json'])
    cpSync(join(ptx, name), join(project, name));
  const counter = join(project, 'name-modules.mjs');
  writeFileSync(counter, NAME_MODULES);
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const words = ['--import', counter, bin, 'check', 'tile-sum.sm90a.ptx', '--json'];
  const { status, stdout, stderr } = run(process.execPath, words, project);
  assert.equal(status, 0, stderr);
  assertCertified(stdout, 'tile_sum');
  const modules = (stderr.match(/^module /gm) ?? []).length;
  t.diagnostic(`${modules} modules`);
  assert.ok(modules > 0 && modules <= MAX_PTX_MODULES, stderr);
});

test('the installed command starts threads of a run and of a sweep', () => {
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const ran = run(process.execPath, [bin, 'run', 'kernel.ts'], project);
  assert.equal(ran.status, 0, ran.stderr);
  assert.match(ran.stdout, /^ran {2}installed /);
  const words = [bin, 'sweep', 'kernel.ts', '--over', 'stages=1..3', '--csv'];
  const swept = run(process.execPath, words, project);
  assert.equal(swept.status, 0, swept.stderr);
  assert.equal(swept.stdout.match(/certified/g)?.length, 3, swept.stdout);
});

test('the installed command explains a rule from its page', () => {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const result = run('npx', ['poundlock', 'explain', 'deadlock'], project, '', path);
  assert.equal(result.status, 0, result.stderr);
  assert.match(result.stdout, /^error\[deadlock\]: [^]*\nrejected\n[^]*\nfixed\n/);
});

test('the installed MCP server needs nothing else', () => {
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const send = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  const input = [
    send(1, 'initialize', { protocolVersion: '2025-06-18', ...client }),
    send(2, 'tools/call', { name: 'check', arguments: { file: 'kernel.ts' } }),
  ].join('');
  const { status, stdout, stderr } = run(process.execPath, [bin, 'mcp'], project, input);
  assert.equal(status, 0, stderr);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.match(answers[1].result.content[0].text, /^certified {2}installed/);
});

test('npm create poundlock writes a folder whose test passes', () => {
  const written = run('npx', ['create-poundlock', 'kernels', '--yes'], project);
  assert.equal(written.status, 0, written.stderr);
  // The packages of the folder above are those that `npm install` would bring.
  const folderOfKernels = join(project, 'kernels');
  const result = run('npm', ['test'], folderOfKernels);
  assert.equal(result.status, 0, result.stdout);
  assert.match(result.stdout, /pass 2\n/);
});

test('lint without its package is one line with the command that installs it', () => {
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const { status, stderr } = run(process.execPath, [bin, 'lint', 'kernel.ts'], project);
  assert.equal(status, 2);
  assert.equal(
    stderr,
    'poundlock: `poundlock lint` needs the package @poundlock/lint beside it: ' +
      'npm install --save-dev poundlock @poundlock/lint typescript@7.0, then npx poundlock lint\n',
  );
});

test(`the help loads at most ${MAX_HELP_MODULES} modules`, (t) => {
  const counter = join(project, 'name-modules.mjs');
  writeFileSync(counter, NAME_MODULES);
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const words = ['--import', counter, bin, '--help'];
  const { status, stdout, stderr } = run(process.execPath, words, project);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^Usage: poundlock /);
  const modules = (stderr.match(/^module /gm) ?? []).length;
  t.diagnostic(`${modules} modules`);
  assert.ok(modules > 0 && modules <= MAX_HELP_MODULES, stderr);
});

test('on an older Node, a line names the version that is needed, and one brings it', (t) => {
  const older = olderNode();
  if (!older) return t.skip('no Node older than 24 on PATH');
  const bin = join(project, 'node_modules', 'poundlock', 'bin', 'poundlock.js');
  const result = run(older, [bin, 'check', 'kernel.ts', '--json'], project);
  assert.equal(result.status, 2);
  assert.match(
    result.stderr,
    /^poundlock: needs Node 24 or newer, this is [\d.]+\n {3}npm has one: npx .*\n$/,
  );
});

test('an older Node hands over to the one this repository installs', (t) => {
  const older = olderNode();
  if (!older) return t.skip('no Node older than 24 on PATH');
  const bin = join(PACKAGE, 'bin', 'poundlock.js');
  const result = run(older, [bin, 'check', 'kernel.ts', '--json'], project);
  assert.equal(result.status, 0, result.stderr);
  assertCertified(result.stdout);
});

function assertCertified(stdout: string, name = 'installed'): void {
  const { schema, results } = JSON.parse(stdout);
  const [{ kernel, verdict }] = results;
  assert.deepEqual([schema, kernel, verdict], ['poundlock/report@1', name, 'certified']);
}

function npm(cwd: string, ...args: string[]): string {
  const result = run('npm', args, cwd);
  assert.equal(result.status, 0, `npm ${args[0]}: ${result.stderr}`);
  return result.stdout;
}

function run(command: string, args: string[], cwd: string, input = '', path = process.env.PATH) {
  return spawnSync(command, args, {
    cwd,
    input,
    env: asInstalled({ PATH: path, NODE_TEST_CONTEXT: undefined }),
    encoding: 'utf8',
    shell: process.platform === 'win32',
    timeout: NPM_TIMEOUT_MS,
  });
}
