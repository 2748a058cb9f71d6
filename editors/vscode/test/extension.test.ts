// Tests the extension without an editor: the bundle loads, the manifest matches the source, and the
// server is found. The display in a real editor is not tested.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { findServer } from '../src/find-server.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = mkdtempSync(join(tmpdir(), 'poundlock-vscode-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

interface Manifest {
  readonly version: string;
  readonly main: string;
  readonly engines: { readonly vscode: string };
  readonly activationEvents: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, object>> };
  };
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const source = readFileSync(join(ROOT, 'src', 'extension.ts'), 'utf8');
const main = join(ROOT, manifest.main);

before(() => {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'pipe' });
});

/** A stub of an editor API: every property exists and does nothing. */
function nothing(): unknown {
  // It can be called, constructed and extended.
  const target = function () {};
  return new Proxy(target, {
    get: (of, name) =>
      name === 'prototype' ? of.prototype : name === Symbol.toPrimitive ? () => 0 : nothing(),
    apply: () => nothing(),
  });
}

function fakeEditor(folders: readonly string[], warnings: string[]): object {
  const workspace = {
    workspaceFolders: folders.map((fsPath) => ({ uri: { scheme: 'file', fsPath } })),
    getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
  };
  const window = { showWarningMessage: (text: string) => void warnings.push(text) };
  const commands = { registerCommand: () => ({}) };
  const known: Record<string, unknown> = { workspace, window, commands };
  return new Proxy(known, { get: (of, name) => of[String(name)] ?? nothing() });
}

/** Loads the bundle as an editor does, which resolves `require('vscode')` itself. */
function load(editor: object): { activate: (context: object) => Promise<void> } {
  const inside = Module as unknown as { _load: (request: string, ...more: unknown[]) => unknown };
  const original = inside._load;
  inside._load = (request, ...more) =>
    request === 'vscode' ? editor : original.call(Module, request, ...more);
  try {
    return createRequire(import.meta.url)(main) as ReturnType<typeof load>;
  } finally {
    inside._load = original;
  }
}

test('the bundle loads and warns if poundlock is not installed', async () => {
  const warnings: string[] = [];
  const { activate } = load(fakeEditor([FOLDER], warnings));
  await activate({ subscriptions: [] });
  assert.match(warnings.join(), /poundlock is not installed in this workspace: `npm install/);
});

test('the manifest matches the source', () => {
  const ours = JSON.parse(
    readFileSync(join(ROOT, '..', '..', 'packages', 'poundlock', 'package.json'), 'utf8'),
  ) as Manifest;
  assert.equal(manifest.version, ours.version);
  // The extension may only use the API of the oldest supported editor.
  assert.equal(manifest.engines.vscode, `^${manifest.devDependencies['@types/vscode']}`);
  const languages = /LANGUAGES = \[(.*)\]/.exec(source)?.[1]?.match(/\w+/g) ?? [];
  assert.deepEqual(
    manifest.activationEvents,
    languages.map((language) => `onLanguage:${language}`).sort(),
  );
  const { commands, configuration } = manifest.contributes;
  const registered = [...source.matchAll(/registerCommand\('([\w.]+)'/g)].map(([, name]) => name);
  assert.deepEqual(
    registered,
    commands.map(({ command }) => command),
  );
  const read = [...source.matchAll(/settings\.get\('(\w+)'/g)].map(([, name]) => name);
  assert.deepEqual(
    read.map((name) => `poundlock.${name}`).sort(),
    Object.keys(configuration.properties).sort(),
  );
});

function installed(folder: string): string {
  const at = join(folder, 'node_modules', 'poundlock');
  const bin = join(at, 'bin', 'poundlock.js');
  mkdirSync(dirname(bin), { recursive: true });
  writeFileSync(join(at, 'package.json'), '{ "exports": { "./package.json": "./package.json" } }');
  writeFileSync(bin, '');
  return bin;
}

test('the server is that of the first folder that has it, or the configured one', () => {
  const [none, some, other] = ['none', 'some', 'other'].map((name) => join(FOLDER, name));
  const bins = [some!, other!].map(installed);
  const inside = join(some!, 'packages', 'inside');
  mkdirSync(inside, { recursive: true });
  assert.equal(findServer([none!], ''), undefined);
  assert.equal(findServer([none!, inside, other!], ''), bins[0]);
  assert.equal(findServer([some!], join(other!, 'node_modules', 'poundlock')), bins[1]);
  assert.equal(findServer([some!], none!), undefined);
});
