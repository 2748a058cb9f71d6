// Packages of a monorepo that are imported by name, and neither installed nor built.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { lintFiles } from './programs.ts';

const FILES: Readonly<Record<string, string>> = {
  'packages/db/package.json': JSON.stringify({
    name: '@acme/db',
    type: 'module',
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './locks': './dist/esm/locks.js',
    },
  }),
  'packages/db/src/index.ts': `
    export class Lease { /** @nothrow */ close(): void {} }
    /** @mustRelease close */
    export interface Handle { close(): void; read(): Promise<string> }
    /** @returnsOwned */
    export declare function openHandle(): Promise<Handle>;
    export async function take(): Promise<Handle> { return openHandle(); }
  `,
  'packages/db/src/locks.ts': `
    import { Mutex } from 'async-mutex';
    export const gate = new Mutex();
  `,
  'packages/old/package.json': JSON.stringify({ name: 'old', main: 'lib/main.js' }),
  'packages/old/lib/main.js': 'module.exports = {};',
  'apps/web/package.json': JSON.stringify({ name: 'web' }),
  'apps/web/src/page.ts': `
    import { take } from '@acme/db';
    import { gate } from '@acme/db/locks';
    export async function lost(): Promise<string> {
      const handle = await take();
      const text = await handle.read();
      handle.close();
      return text;
    }
    export async function kept(): Promise<string> {
      const handle = await take();
      try { return await handle.read(); } finally { handle.close(); }
    }
    export async function locked(work: () => Promise<void>): Promise<void> {
      const done = await gate.acquire();
      await work();
    }
  `,
};

const ROOTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  npm: { 'package.json': JSON.stringify({ workspaces: ['packages/*', 'apps/*'] }) },
  pnpm: { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: [packages/*, apps/*]' },
};

const TSCONFIGS: Readonly<Record<string, object | undefined>> = {
  nodenext: { module: 'nodenext', strict: true },
  bundler: { module: 'esnext', moduleResolution: 'bundler', strict: true },
  'no tsconfig.json': undefined,
};

describe('packages of a workspace', () => {
  let directory = '';
  before(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-workspace-')));
  });
  after(() => rmSync(directory, { recursive: true }));

  const write = (root: string, files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
  };
  const findingsIn = (root: string): string[] =>
    lintFiles([join(root, 'apps/web/src/page.ts')]).map(({ rule, primary }) => {
      return `${rule} ${primary.line}`;
    });
  const LOST = ['leak-on-throw 5', 'leak 15'];

  for (const [kind, root] of Object.entries(ROOTS)) {
    for (const [name, compilerOptions] of Object.entries(TSCONFIGS)) {
      test(`${kind}, ${name}: handles that they return are tracked`, () => {
        const here = join(directory, `${kind}-${name}`);
        write(here, { ...FILES, ...root });
        if (compilerOptions !== undefined) {
          write(here, { 'apps/web/tsconfig.json': JSON.stringify({ compilerOptions }) });
        }
        assert.deepEqual(findingsIn(here), LOST);
      });
    }
  }

  test('without a workspace their handles are unknown', () => {
    const here = join(directory, 'none');
    write(here, { ...FILES, 'package.json': '{}' });
    assert.deepEqual(findingsIn(here), []);
  });

  test('installed packages are not replaced', () => {
    const here = join(directory, 'installed');
    write(here, { ...FILES, ...ROOTS['npm'] });
    const other =
      'export declare function take(): Promise<{ read(): Promise<string>; close(): void }>;';
    write(here, {
      'packages/db/dist/index.d.ts': other,
      'packages/db/dist/esm/locks.js': '',
    });
    cpSync(join(here, 'packages/db'), join(here, 'node_modules/@acme/db'), { recursive: true });
    assert.deepEqual(findingsIn(here), []);
  });
});
