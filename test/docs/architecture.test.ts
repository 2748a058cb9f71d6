// Every path and every file that ARCHITECTURE.md names exists.
import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../packages/poundlock/test/golden/golden.ts';
import { textOf } from './pages.ts';

// The page describes the packages; a checkout that has a single one is older than the page.
const skip = !existsSync(join(ROOT, 'packages', 'core'));

const FILES = [
  'packages/*/{src,app,test}/**/*.ts',
  '{examples,test}/**/*.ts',
  'tools/**/*.{ts,mjs}',
  'scripts/**/*.mjs',
];

test('every path of the table of changes exists', { skip }, () => {
  const text = textOf('ARCHITECTURE.md');
  const paths = [...text.matchAll(/`(packages\/[\w./-]+?)\/?`/g)].map(([, path]) => path!);
  assert.ok(paths.length >= 10, `${paths.length} paths`);
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
});

test('every file that the text names exists', { skip }, () => {
  const files = globSync(FILES, { cwd: ROOT });
  const names = [...textOf('ARCHITECTURE.md').matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)];
  assert.ok(names.length >= 100, `${names.length} names`);
  const isThere = ([, name]: RegExpExecArray): boolean =>
    files.some((file) => file === name || file.endsWith(`/${name}`));
  assert.deepEqual(
    names.filter((name) => !isThere(name)).map(([, name]) => name),
    [],
  );
});
