// tier: release
// `npm create poundlock`: the folder that it writes, what it refuses, and that it writes all or none.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, test } from 'node:test';
import { validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';
import { packageName } from '../src/template.ts';
import { writeFolder } from '../src/write-folder.ts';

const HOME = join(import.meta.dirname, '..');
const BIN = join(HOME, 'bin', 'create-poundlock.js');
const POUNDLOCK = join(HOME, '..', '..', 'packages', 'poundlock');
const ROOT = join(HOME, '..', '..');
const TYPES_OF_NODE = join('node_modules', '@types', 'node');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'create-poundlock-test-')));
after(() => rmSync(folder, { recursive: true, force: true }));

function create(...words: string[]) {
  return spawnSync(process.execPath, [BIN, ...words], { cwd: folder, encoding: 'utf8', input: '' });
}

/** A script of the folder, as npm or a workflow runs it. */
function script(cwd: string, text: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync('bash', ['-e', '-c', text], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: '', ...env },
  });
}

interface Workflow {
  readonly jobs: { readonly certify: { readonly steps: readonly { readonly run?: string }[] } };
}

test('with --yes: its test and the steps of its workflow pass', () => {
  const { status, stdout, stderr } = create('My Kernels', '--yes');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^wrote 11 files to /);
  const path = join(folder, 'My Kernels');
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const own = JSON.parse(readFileSync(join(POUNDLOCK, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  assert.equal(manifest.name, 'my-kernels');
  assert.equal(manifest.devDependencies['poundlock'], `^${own.version}`);
  assert.match(readFileSync(join(path, 'test', 'gemm.test.ts'), 'utf8'), /^\/\/ Certificates as/);
  assert.equal(readFileSync(join(path, '.gitignore'), 'utf8'), 'node_modules/\n');

  // What `npm install` does, without a network.
  const bin = join(path, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(POUNDLOCK, join(path, 'node_modules', 'poundlock'));
  symlinkSync(join(POUNDLOCK, 'bin', 'poundlock.js'), join(bin, 'poundlock'));

  const text = readFileSync(join(path, '.github', 'workflows', 'poundlock.yml'), 'utf8');
  assert.deepEqual(validateWorkflow(text).errors, []);
  const runs = (parse(text) as Workflow).jobs.certify.steps.flatMap(({ run }) => run ?? []);
  assert.equal(runs[0], 'npm install --no-audit --no-fund');
  const env = { RUNNER_TEMP: folder, GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  for (const run of runs.slice(1)) {
    const ran = script(path, run, env);
    assert.equal(ran.status, 0, `${run}: ${ran.stdout}${ran.stderr}`);
  }
  assert.match(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), /certified/);
  const checked = script(path, 'npx --no poundlock check');
  assert.equal(checked.status, 0, checked.stdout + checked.stderr);
  const broken = script(path, 'npx --no poundlock check kernels/broken/early-release.ts');
  assert.equal(broken.status, 1, broken.stderr);
  assert.match(broken.stdout, /^error\[race\]/);
});

test('the compiler of TypeScript that it asks for has no complaint', () => {
  const path = join(folder, 'typed');
  assert.equal(create('typed', '--yes').status, 0);
  // Compiled as users have it: without the sources of this repository.
  mkdirSync(join(path, 'node_modules', '@types'), { recursive: true });
  symlinkSync(POUNDLOCK, join(path, 'node_modules', 'poundlock'));
  symlinkSync(join(ROOT, 'node_modules', '@types', 'node'), join(path, TYPES_OF_NODE));
  const { scripts, devDependencies } = JSON.parse(
    readFileSync(join(path, 'package.json'), 'utf8'),
  ) as { scripts: { types: string }; devDependencies: { typescript: string } };
  assert.equal(scripts.types, 'tsc');
  const compiler = join(ROOT, 'node_modules', 'typescript');
  const { version } = JSON.parse(readFileSync(join(compiler, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  assert.equal(devDependencies.typescript, `~${version}`);
  const { status, stdout } = spawnSync(process.execPath, [join(compiler, 'bin', 'tsc')], {
    cwd: path,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout);
});

test('a folder with anything in it is refused, and left as it is', () => {
  const path = join(folder, 'full');
  mkdirSync(path);
  writeFileSync(join(path, 'mine.txt'), 'mine');
  const { status, stderr } = create('full', '--yes');
  assert.equal(status, 2);
  assert.match(stderr, /^create-poundlock: .*full is not empty: it has mine\.txt; name another/);
  assert.deepEqual(readdirSync(path), ['mine.txt']);
  assert.match(create(join('full', 'mine.txt'), '--yes').stderr, /is a file/);
});

test('an empty folder is filled, and the workflow can be left out', () => {
  mkdirSync(join(folder, 'empty'));
  assert.equal(create('empty', '--yes', '--no-workflow').status, 0);
  const names = readdirSync(join(folder, 'empty')).toSorted();
  assert.ok(names.includes('.vscode') && !names.includes('.github'), names.join());
  assert.ok(!names.some((name) => name.startsWith('.create-poundlock-')));
});

test('without a terminal it asks nothing, and does not guess', () => {
  const { status, stderr } = create();
  assert.equal(status, 2);
  assert.match(stderr, /there is no terminal to ask on: --yes takes the defaults/);
  assert.equal(create('--sett').status, 2);
  assert.equal(create('a', 'b', '--yes').status, 2);
  assert.match(create('--help').stdout, /^Usage: npm create poundlock@latest/);
});

test('what can not be written as a whole is not written', () => {
  const path = join(folder, 'half');
  const files = new Map([
    ['a', '1'],
    ['a/b', 'a file can not be a folder'],
  ]);
  assert.throws(() => writeFolder(path, files));
  assert.ok(!existsSync(path));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.create-poundlock-')),
    [],
  );
  if (process.getuid?.() === 0) return;
  chmodSync(folder, 0o500);
  assert.throws(() => writeFolder(path, new Map([['a', '1']])));
  chmodSync(folder, 0o700);
});

test('names that npm accepts', () => {
  const names = ['My Kernels', '.hidden', 'übung', '日本', 'a__b'].map(packageName);
  assert.deepEqual(names, ['my-kernels', 'hidden', 'bung', 'kernels', 'a__b']);
});
