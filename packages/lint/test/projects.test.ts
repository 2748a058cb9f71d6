// Findings that depend on several files: packages with models, functions that a test calls.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { isTestPath } from '#src/report/test-code';
import { lintFiles } from './programs.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lint-projects-')));
after(() => rmSync(folder, { recursive: true }));

/** Writes the files of a project; returns the paths of those that are linted. */
function project(name: string, files: Readonly<Record<string, string>>): string[] {
  return Object.entries(files).map(([path, text]) => {
    const full = join(folder, name, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  });
}

function reported(paths: readonly string[]): string[] {
  const isTest = (path: string): boolean => isTestPath(path.slice(folder.length));
  const own = paths.filter((path) => !path.includes('node_modules') && path.endsWith('.ts'));
  return lintFiles(own, { isTest }).map(({ severity, primary }) => {
    return `${severity} ${primary.file.slice(primary.file.lastIndexOf('/') + 1)}:${primary.line}`;
  });
}

test('a method that the model of its type does not list returns its receiver', () => {
  const paths = project('fluent', {
    'node_modules/chokidar/package.json': '{ "name": "chokidar", "types": "index.d.ts" }',
    'node_modules/chokidar/index.d.ts': `
      export declare class FSWatcher {
        unwatch(path: string): FSWatcher;
        close(): Promise<void>;
      }
      export declare function watch(path: string): FSWatcher;`,
    'a.ts': `import { watch, type FSWatcher } from 'chokidar';
      export const leave = (all: ReadonlyMap<string, FSWatcher>) => { all.get('a')?.unwatch('a'); };
      export const lose = () => { watch('a').unwatch('a'); };`,
  });
  assert.deepEqual(reported(paths), ['note a.ts:3']);
});

test('helpers of tests are known by their names', () => {
  const tests = ['/a/test_utils.ts', '/a/testHelpers.js', '/src/test-setup.ts'];
  const others = ['/a/tests-of-speed.ts', '/a/latest-setup.ts', '/a/setup.ts'];
  assert.deepEqual([tests.every(isTestPath), others.some(isTestPath)], [true, false]);
});

test('what a function loses only as a test calls it is a note', () => {
  const bind = (name: string): string =>
    `export function ${name}(take: (fd: number) => unknown): void { take(openSync('a', 'r')); }`;
  const calls = (call: string): string => `{ closeSync(openSync('b', 'r')); ${call}; }`;
  const paths = project('called', {
    'a.ts': `import { closeSync, openSync } from 'node:fs';\n${bind('first')}\n${bind('second')}
      export function use(): void ${calls('first((fd) => closeSync(fd)); second((fd) => fd)')}`,
    'a.test.ts': `import { closeSync, openSync } from 'node:fs';
      import { first, second } from './a.ts';
      export function check(): void ${calls('first((fd) => fd); second((fd) => fd)')}`,
  });
  assert.deepEqual(reported(paths), ['note a.ts:2', 'error a.ts:3']);
});
