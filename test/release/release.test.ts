// tier: release — `npm run release`, tried on a clone of this repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'scripts', 'release.mjs');
/** Larger than each version that this repository will have. */
const NEXT = '999.0.0';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const folder = mkdtempSync(join(tmpdir(), 'poundlock-release-'));
const clone = join(folder, 'clone');
after(() => rmSync(folder, { recursive: true, force: true }));

before(() => {
  git(folder, 'clone', '--quiet', '--shared', ROOT, clone);
  for (const [key, value] of Object.entries({ 'user.name': 'a', 'user.email': 'a@b.c' }))
    git(clone, 'config', key, value);
  git(clone, 'config', 'commit.gpgsign', 'false');
  git(clone, 'config', 'tag.gpgsign', 'false');
});

/** Puts a section for the next version on top of the changelog. */
function openSection(): void {
  const text = read('CHANGELOG.md');
  const section = `## [${NEXT}] - Unreleased\n\n* A change.\n\n`;
  writeFileSync(join(clone, 'CHANGELOG.md'), text.replace(/^## /m, `${section}## `));
  git(clone, 'commit', '--quiet', '--all', '--message', 'changelog');
}

test('a release that cannot be is one line and exit code 2', () => {
  const { version } = manifestOf('packages/core/package.json');
  assert.deepEqual(refused(), 'usage: npm run release -- VERSION [--dry-run]');
  assert.equal(refused('1.0'), "'1.0' is not a version such as 1.2.3");
  assert.equal(refused('v1.0.0'), "'v1.0.0' is not a version such as 1.2.3");
  assert.equal(refused(version!), `${version} is not larger than ${version}`);
  assert.equal(refused('0.0.1'), `0.0.1 is not larger than ${version}`);
  assert.equal(refused(NEXT), `CHANGELOG.md has no '## [${NEXT}] - Unreleased'`);
  writeFileSync(join(clone, 'new.txt'), '');
  assert.equal(refused(NEXT), 'the tree has uncommitted changes');
  rmSync(join(clone, 'new.txt'));
});

test('--dry-run prints each line that would change, and changes nothing', () => {
  openSection();
  const head = git(clone, 'rev-parse', 'HEAD');
  const { status, stdout, stderr } = release(NEXT, '--dry-run');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^packages\/core\/package\.json\n {2}- "version": .*\n {2}\+ "version": /m);
  assert.match(stdout, /^CHANGELOG\.md\n {2}- ## .* Unreleased\n {2}\+ ## .* \d{4}-\d\d-\d\d$/m);
  assert.equal(git(clone, 'status', '--porcelain'), '');
  assert.equal(git(clone, 'rev-parse', 'HEAD'), head);
  assert.equal(git(clone, 'tag', '--list', `v${NEXT}`), '');
});

test('a release sets the version everywhere, commits and tags', () => {
  const { version: previous } = manifestOf('packages/core/package.json');
  const { status, stderr } = release(NEXT);
  assert.equal(status, 0, stderr);
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Manifest> };
  const folders = manifestOf('package.json').workspaces!.flatMap((pattern) =>
    globSync(`${pattern}/package.json`, { cwd: clone }),
  );
  const manifests = folders.map((path) => ({
    path,
    manifest: manifestOf(path),
    locked: lock.packages[path.replaceAll('\\', '/').replace('/package.json', '')]!,
  }));
  const names = new Set(manifests.map(({ manifest }) => manifest.name!));
  for (const { path, manifest, locked } of manifests) {
    if (manifest.version !== undefined) assert.equal(manifest.version, NEXT, path);
    assert.equal(locked.version, manifest.version, path);
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'] as const) {
      assert.deepEqual(locked[kind] ?? {}, manifest[kind] ?? {}, path);
      for (const [name, range] of Object.entries(manifest[kind] ?? {}))
        if (names.has(name)) assert.ok(range.endsWith(NEXT), `${path}: ${name} ${range}`);
    }
  }
  assert.match(read('CHANGELOG.md'), /^## \[999\.0\.0\] - \d{4}-\d\d-\d\d$/m);
  assert.match(read('action.yml'), /default: 999\.0\.0\n/);
  const copied = `poundlock(-vscode)?[@-]v?${previous!.replaceAll('.', '\\.')}`;
  const pages = ['grep', '-lE', copied, '--', '*.md', ':!CHANGELOG.md'];
  assert.equal(spawnSync('git', pages, { cwd: clone, encoding: 'utf8' }).stdout, '');
  assert.equal(git(clone, 'status', '--porcelain'), '');
  assert.equal(git(clone, 'rev-parse', `v${NEXT}^{commit}`), git(clone, 'rev-parse', 'HEAD'));
  assert.match(refused(NEXT), /^999\.0\.0 is not larger than 999\.0\.0$/);
});

/** The line that refuses a release. */
function refused(...words: string[]): string {
  const { status, stdout, stderr } = release(...words);
  assert.deepEqual([status, stdout], [2, '']);
  return /^release: (.+)\n$/.exec(stderr)?.[1] ?? assert.fail(stderr);
}

function release(...words: string[]) {
  return spawnSync(process.execPath, [SCRIPT, ...words], { cwd: clone, encoding: 'utf8' });
}

function manifestOf(path: string): Manifest {
  return JSON.parse(read(path)) as Manifest;
}

function read(path: string): string {
  return readFileSync(join(clone, path), 'utf8');
}

function git(cwd: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}
