// Makes a release of the checkout that it is called in: npm run release -- VERSION [--dry-run]
// Sets the version everywhere, dates the heading of the changelog, commits, and tags.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { gt, valid } from 'semver';
import { publishedOf, workspacesOf } from './workspaces.mjs';

const CANNOT_RUN = 2;
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies'];

class Refusal extends Error {}

/** The texts of files that a release changes: their paths, from the root on, and what they become. */
function changesOf(root, { version, current, date }) {
  const workspaces = workspacesOf(root);
  const names = new Set(workspaces.map(({ manifest }) => manifest.name));
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const changes = new Map();
  const change = (file, edit) => {
    const before = read(file);
    const after = edit(before);
    if (after !== before) changes.set(file, { before, after });
  };
  for (const { folder } of workspaces)
    change(`${folder}/package.json`, (text) => manifestAt(text, names, current, version));
  change('package-lock.json', (text) => lockAt(text, workspaces, names, version));
  for (const file of git(root, 'ls-files', 'action.yml', '*.md').trim().split('\n'))
    if (file !== 'CHANGELOG.md') change(file, (text) => pageAt(text, current, version));
  change('CHANGELOG.md', (text) => changelogAt(text, version, date));
  return changes;
}

/** A manifest, edited as text: its format stays. */
function manifestAt(text, names, current, version) {
  return text.replace(/"([^"]+)": "([^"\n]+)"/g, (whole, key, value) =>
    (key === 'version' || names.has(key)) && value.endsWith(current)
      ? `"${key}": "${value.slice(0, -current.length)}${version}"`
      : whole,
  );
}

function lockAt(text, workspaces, names, version) {
  const lock = JSON.parse(text);
  for (const { folder, manifest } of workspaces) {
    const locked = lock.packages[folder];
    if (manifest.version !== undefined) locked.version = version;
    for (const kind of DEPENDENCIES)
      for (const name of Object.keys(locked[kind] ?? {}))
        if (names.has(name)) locked[kind][name] = locked[kind][name].replace(/[\d.]+.*$/, version);
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** What a reader copies: a version of the package, the action, the hooks, or the extension. */
function pageAt(text, current, version) {
  const printed = /(?<before>poundlock(?:-\w+)?[@-]v?|rev: v|default: )(?<version>\d[\w.+-]*\d)/g;
  return text.replace(printed, (whole, before, found) =>
    found === current ? `${before}${version}` : whole,
  );
}

function changelogAt(text, version, date) {
  const heading = `## [${version}] - Unreleased\n`;
  if (!text.includes(heading)) throw new Refusal(`CHANGELOG.md has no '${heading.trim()}'`);
  return text.replace(heading, `## [${version}] - ${date}\n`);
}

/** The version that all published packages have. */
function currentOf(root) {
  const versions = [...new Set(publishedOf(root).map(({ manifest }) => manifest.version))];
  if (versions.length !== 1)
    throw new Refusal(`packages differ in version: ${versions.join(', ')}`);
  return versions[0];
}

function checkVersion(version, current) {
  if (valid(version) !== version) throw new Refusal(`'${version}' is not a version such as 1.2.3`);
  if (!gt(version, current)) throw new Refusal(`${version} is not larger than ${current}`);
}

function checkTree(root, tag) {
  if (git(root, 'status', '--porcelain') !== '')
    throw new Refusal('the tree has uncommitted changes');
  if (git(root, 'tag', '--list', tag) !== '') throw new Refusal(`the tag ${tag} exists`);
}

function git(cwd, ...words) {
  const { status, stdout, stderr, error } = spawnSync('git', words, { cwd, encoding: 'utf8' });
  if (status === 0) return stdout;
  throw new Refusal(`git ${words[0]}: ${error?.message ?? stderr.trim().split('\n')[0]}`);
}

function show(changes) {
  for (const [file, { before, after }] of changes) {
    const lines = after.split('\n');
    process.stdout.write(`${file}\n`);
    before.split('\n').forEach((line, at) => {
      if (line !== lines[at]) process.stdout.write(`  - ${line.trim()}\n  + ${lines[at].trim()}\n`);
    });
  }
}

function release(words) {
  const isDry = words.includes('--dry-run');
  const [version, ...others] = words.filter((word) => word !== '--dry-run');
  if (version === undefined || others.length > 0)
    throw new Refusal('usage: npm run release -- VERSION [--dry-run]');
  const root = git(process.cwd(), 'rev-parse', '--show-toplevel').trim();
  const current = currentOf(root);
  checkVersion(version, current);
  const tag = `v${version}`;
  checkTree(root, tag);
  const date = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  const changes = changesOf(root, { version, current, date });
  if (isDry) return show(changes);
  for (const [file, { after }] of changes) writeFileSync(join(root, file), after);
  git(root, 'commit', '--quiet', '--all', '--message', `release: ${version}`);
  git(root, 'tag', '--annotate', tag, '--message', `poundlock ${version}`);
  process.stdout.write(`${tag}: ${changes.size} files; git push --follow-tags publishes it\n`);
}

try {
  release(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = CANNOT_RUN;
}
