// tier: release
// What each published package consists of: its files, its size, its manifest, what it depends on.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packed } from './packed.ts';

const ROOT = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface Bounds {
  readonly dependencies: readonly string[];
  /** Kilobytes that it may unpack to. */
  readonly maxKb: number;
  readonly maxFiles?: number;
}

const PUBLISHED: Readonly<Record<string, Bounds>> = {
  'packages/core': { dependencies: [], maxKb: 1_500 },
  'packages/dialects': { dependencies: ['@poundlock/core'], maxKb: 350 },
  'packages/ptx': { dependencies: ['@poundlock/core'], maxKb: 2600 },
  'packages/ring': { dependencies: [], maxKb: 230 },
  'packages/linear': { dependencies: [], maxKb: 20 },
  'packages/poundlock': {
    dependencies: [
      '@poundlock/core',
      '@poundlock/dialects',
      '@poundlock/ptx',
      '@poundlock/ring',
      'commander',
      'acorn',
      'csv-parse',
    ],
    // 390 kB of it are the bundled MCP SDK, which has 90 packages where it is installed, and
    // 1,800 kB the bundle of the verbs for kernels as built, which halves what a check takes.
    maxKb: 5400,
    maxFiles: 360,
  },
  'packages/lint': {
    dependencies: [
      '@poundlock/core',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
    ],
    maxKb: 1_500,
  },
  'tools/farm': { dependencies: ['bullmq', 'ioredis'], maxKb: 60 },
  // It reads the launch files of the kernels as built that it draws.
  'tools/fuzz': {
    dependencies: ['@poundlock/core', '@poundlock/ptx', 'fast-check'],
    maxKb: 500,
  },
  'packages/eslint-plugin': { dependencies: ['@poundlock/core', '@poundlock/lint'], maxKb: 60 },
  'tools/create-poundlock': { dependencies: [], maxKb: 40 },
};

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

const { publishedManifest } = (await import(join(ROOT, 'scripts', 'pack.mjs'))) as {
  publishedManifest: (manifest: Manifest) => Manifest;
};

test('the published command needs Node 24', () => {
  const { engines } = publishedManifest(manifestOf('packages/poundlock'));
  assert.deepEqual(engines, { node: '>=24' });
});

for (const [folder, { dependencies, maxKb, maxFiles = Infinity }] of Object.entries(PUBLISHED)) {
  const manifest = publishedManifest(manifestOf(folder));
  test(`${manifest.name} says where it comes from`, () => {
    for (const field of ['description', 'homepage', 'bugs', 'repository', 'license', 'engines']) {
      assert.ok(manifest[field], `${field} is missing`);
    }
    assert.equal(manifest.version, manifestOf('packages/core').version);
  });

  test(`${manifest.name} depends on ${dependencies.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(Object.keys(manifest.dependencies ?? {}).sort(), [...dependencies].sort());
    for (const name of dependencies.filter((each) => each.startsWith('@poundlock/'))) {
      assert.equal(manifest.dependencies![name], manifest.version);
    }
  });

  test(`${manifest.name} holds what runs, in at most ${maxKb} kB`, (t) => {
    const { files, unpackedSize } = packed().find(({ name }) => name === manifest.name)!;
    const paths = files.map(({ path }) => path);
    for (const path of ['README.md', 'LICENSE', 'package.json'])
      assert.ok(paths.includes(path), path);
    const strange = paths.filter(
      (path) => !/^(dist|lib|bin|native|rules|template)\/|^[A-Za-z]+(\.md|\.json)?$/.test(path),
    );
    assert.deepEqual(strange, []);
    assert.deepEqual(
      paths.filter((path) => /^(?!template\/).*(\.map|(?<!\.d)\.ts)$/.test(path)),
      [],
    );
    const kb = Math.ceil(unpackedSize / 1000);
    t.diagnostic(`${kb} kB in ${files.length} files`);
    assert.ok(kb <= maxKb, `${kb} kB`);
    assert.ok(files.length <= maxFiles, `${files.length} files`);
  });

  test(`${manifest.name}: every subpath has a module and its types`, () => {
    for (const [subpath, target] of Object.entries(manifest.exports)) {
      if (typeof target === 'string' || subpath.includes('*')) continue;
      for (const condition of ['poundlock-source', 'types', 'default']) {
        assert.ok(target[condition], `${subpath} has no ${condition}`);
        assert.ok(existsSync(join(ROOT, folder, target[condition]!)), target[condition]);
      }
    }
  });
}
