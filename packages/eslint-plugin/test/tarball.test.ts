// tier: release
// The packed packages, in the layouts of projects that use TypeScript 7 together with the
// TypeScript 6 that typescript-eslint needs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { asInstalled } from '../../../test/package/as-installed.ts';
import { olderNode } from '../../../test/package/older-node.ts';
import { packedFile } from '../../../test/package/packed.ts';
import { configurationIn } from './configuration-in.ts';

const PACKAGES = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 180_000;
const folder = mkdtempSync(join(tmpdir(), 'eslint-plugin-tarball-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const { devDependencies: ours } = read(join(PACKAGES, 'eslint-plugin', 'package.json'));
const NINE = ours['eslint-9'].replace('npm:eslint@', '');
const SEVEN = read(join(PACKAGES, 'lint', 'package.json')).devDependencies['typescript'];

function read(path: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, string>>;
}

let tarballs: Record<string, string>;
before(() => {
  const pack = (name: string): string => `file:${packedFile(name)}`;
  tarballs = {
    core: pack('@poundlock/core'),
    lint: pack('@poundlock/lint'),
    plugin: pack('eslint-plugin-poundlock'),
  };
});

const CONFIG = configurationIn(join(PACKAGES, 'eslint-plugin', 'README.md'));

const SOURCE = `import { openSync } from 'node:fs';

export function touch(path: string): void {
  openSync(path, 'w');
}
`;

const TSCONFIG = {
  compilerOptions: { module: 'nodenext', strict: true, types: ['node'], skipLibCheck: true },
};

/** Installs a project that lints from one of its directories. */
function install(name: string, manifests: Record<string, object>, lintRoot: string): string {
  const root = join(folder, name);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  for (const [at, manifest] of Object.entries(manifests)) {
    write(join(at, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }));
  }
  write('src/touch.ts', SOURCE);
  write('tsconfig.json', JSON.stringify(TSCONFIG));
  write(join(lintRoot, 'eslint.config.js'), CONFIG);
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], root);
  return root;
}

/** The rules that ESLint reports for the only source file of a project. */
function reportedIn(root: string, lintRoot: string, node = process.execPath): string[] {
  const eslint = join(root, 'node_modules', 'eslint', 'bin', 'eslint.js');
  const config = join(root, lintRoot, 'eslint.config.js');
  const args = [eslint, '--config', config, 'src', '--format', 'json'];
  const env = asInstalled();
  const options = { cwd: root, encoding: 'utf8', timeout: TIMEOUT_MS, env } as const;
  const { status, stdout, stderr } = spawnSync(node, args, options);
  assert.equal(status, 1, stderr);
  const [result] = JSON.parse(stdout) as { messages: { ruleId: string; line: number }[] }[];
  return result.messages.map(({ ruleId, line }) => `${line} ${ruleId}`);
}

/** The package that `import 'typescript'` finds at the root. */
function typescriptOf(root: string): string {
  const { name, version } = read(join(root, 'node_modules', 'typescript', 'package.json'));
  return `${name} ${version}`;
}

const EXPECTED = ['4 poundlock/discarded-handle'];

function linting(eslint: string): Record<string, string> {
  return {
    '@types/node': '24.19.2',
    eslint,
    'eslint-plugin-poundlock': tarballs['plugin'],
    '@poundlock/core': tarballs['core'],
    '@poundlock/lint': tarballs['lint'],
    'typescript-eslint': ours['typescript-eslint'],
  };
}

test('TypeScript 6 at the root, ESLint 10', (t) => {
  const devDependencies = { ...linting(ours['eslint']), typescript: ours['typescript'] };
  const root = install('six', { '.': { devDependencies } }, '.');
  assert.equal(typescriptOf(root), `typescript ${ours['typescript']}`);
  assert.deepEqual(reportedIn(root, '.'), EXPECTED);
  // The rules need no newer Node than ESLint itself.
  const older = olderNode();
  if (older === undefined) t.diagnostic('no older Node on PATH');
  else assert.deepEqual(reportedIn(root, '.', older), EXPECTED);
});

test('TypeScript 7 beside the package that is TypeScript 6 for tools, ESLint 9', () => {
  const devDependencies = {
    ...linting(NINE),
    typescript: 'npm:@typescript/typescript6@6.0.2',
    '@typescript/native': `npm:typescript@${SEVEN}`,
  };
  const root = install('alias', { '.': { devDependencies } }, '.');
  assert.equal(typescriptOf(root), '@typescript/typescript6 6.0.2');
  assert.deepEqual(reportedIn(root, '.'), EXPECTED);
});

test('TypeScript 7 at the root, and 6 in the workspace that lints', () => {
  const manifests = {
    '.': {
      workspaces: ['tools/lint'],
      devDependencies: { typescript: SEVEN, '@types/node': '24.19.2' },
      overrides: { 'ts-api-utils': { typescript: ours['typescript'] } },
    },
    'tools/lint': {
      name: 'lint',
      devDependencies: { ...linting(ours['eslint']), typescript: ours['typescript'] },
    },
  };
  const root = install('nested', manifests, 'tools/lint');
  assert.equal(typescriptOf(root), `typescript ${SEVEN}`);
  assert.deepEqual(reportedIn(root, 'tools/lint'), EXPECTED);
});

function run(command: string, args: string[], cwd: string) {
  const shell = process.platform === 'win32';
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', shell, timeout: TIMEOUT_MS });
  assert.equal(result.status, 0, `${command} ${args[0]}: ${result.stderr}`);
  return result;
}
