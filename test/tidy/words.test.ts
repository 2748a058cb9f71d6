// The words of names, messages, comments and documentation: standard terms, no private English.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';
import { source, type Source } from './source.ts';
import { fileNameFaults, identifierFaults, termFaults, textFaults, wordsOf } from './words.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Folders and files that are not yet reworded; this list only gets shorter. */
const PENDING: readonly string[] = ['test'];

/** Rooms that are rebuilt, and get standard names then. */
const PENDING_TERMS: readonly string[] = ['packages/ptx', 'packages/lint/src/flow'];

/** Programs of other authors and of probes, whose words are data; and what tools generate. */
const DATA = [
  'packages/lint/test/cases',
  'packages/lint/test/checker-framework',
  'packages/lint/test/idioms',
  'packages/lint/test/real',
  'test/tidy/words.ts',
  'test/tidy/words.test.ts',
];

const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

const FILES: readonly Source[] = globSync('{,.*,**/*}.{ts,mjs,md,yml,yaml,json}', {
  cwd: ROOT,
  exclude: (path) => /(^|[\\/])(node_modules|dist|lib|\.git)$|package-lock\.json$/.test(path),
})
  .map((path) => path.split(sep).join('/'))
  .filter((path) => !isBelow(path, [...PENDING, ...DATA]))
  .sort()
  .map((path) => source(path, readFileSync(join(ROOT, path), 'utf8')));

test('names are split into words', () => {
  assert.deepEqual(wordsOf('isKeptAliveHTTP_twin2Told'), [
    'is',
    'kept',
    'alive',
    'http',
    'twin',
    'told',
  ]);
});

test('a banned word is a fault in names, and only some words in texts', () => {
  assert.equal(fileNameFaults('a/told-phases.ts').length, 1);
  assert.deepEqual(fileNameFaults('told/phases.ts'), []);
  const file = source(
    'a.ts',
    "// Made of what was given, which nobody hears.\nconst kept = 'lent';\n",
  );
  assert.deepEqual(identifierFaults(file), ["a.ts:2 the identifier kept contains 'kept'"]);
  assert.equal(textFaults(file).length, 3);
});

test('file names contain no banned words', () => {
  assert.deepEqual(
    FILES.flatMap(({ path }) => fileNameFaults(path)),
    [],
  );
});

test('identifiers contain no banned words', () => {
  const isCode = ({ path }: Source): boolean => /\.(ts|mjs)$/.test(path);
  assert.deepEqual(FILES.filter(isCode).flatMap(identifierFaults), []);
});

test('messages, comments and documentation contain no banned words', () => {
  assert.deepEqual(FILES.flatMap(textFaults), []);
});

test('a private term, or a word alone that says nothing, is a fault in names', () => {
  const file = source('a/shade.ts', 'export const found = 1;\nexport function isFound() {}\n');
  assert.deepEqual(termFaults(file), [
    "a/shade.ts:1 the file name contains 'shade': write affine value",
    'a/shade.ts:1 the export found says nothing',
  ]);
});

test('file names and exported names are standard terms', () => {
  const isHeld = ({ path }: Source): boolean =>
    /\.(ts|mjs)$/.test(path) && !isBelow(path, PENDING_TERMS);
  assert.deepEqual(FILES.filter(isHeld).flatMap(termFaults), []);
});

test('every pending path exists', () => {
  for (const path of [...PENDING, ...PENDING_TERMS]) {
    assert.equal(globSync(path, { cwd: ROOT }).length, 1, path);
  }
});
